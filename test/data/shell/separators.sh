torchrun a.py;torchrun b.py ;(torchrun c.py);{ torchrun d.py;};torchrun e.py#f
