X=$(case a in (a) case b in b) echo ")";; esac;; *) ;; esac # esac )
); torchrun a.py --x "$X"
