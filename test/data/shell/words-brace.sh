torchrun {a,b}{1..3} x{y,"z w"} {} a}
