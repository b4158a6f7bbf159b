case x in
x) cat <<E >/dev/null ;;
) esac
E
esac
torchrun a.py --x 1
