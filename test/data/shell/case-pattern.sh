shopt -s extglob
case "a)b" in x|"a)"[b-d]) torchrun a.py;; @(y|z)) ;; esac
case esac in (esac) torchrun b.py
esac
