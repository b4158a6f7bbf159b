case a in a) torchrun a.py ;& b) torchrun b.py;;& a*) torchrun c.py ; esac
