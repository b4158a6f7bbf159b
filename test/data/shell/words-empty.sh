torchrun a.py "" '' $"" $'' ""''
