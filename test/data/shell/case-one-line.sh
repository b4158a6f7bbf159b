case a in a) case b in b) torchrun a.py; esac ; esac; torchrun b.py esac
