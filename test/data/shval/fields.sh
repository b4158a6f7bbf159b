# Field splitting, IFS and positional parameters.
s="  a  b   c "
set -- $s; n=$# f=$1 l=$3
set -- "$s"; n2=$#
IFS=:; p="a::b:c:"; set -- $p; n3=$# q2="$2" ; set -- $p$p; n4=$#
IFS=' :'; p=" a : b :c"; set -- $p; n5=$#; a5="$*"
IFS=$' \t\n'; e=; set -- $e; n6=$#; set -- $e"" ; n7=$#; set -- "$e" ; n8=$#; set -- "$@" $e; n9=$#
x="a b"; set -- $x"c d"$x; n10=$#; a1=$1 a2=$2 a3=$3
set -- a"$@"b; n11=$#; y1=$1 y3=$3; set -- "" x ""; n12=$#; z="$*"; zz="$@"; zzz=$*
set --; set -- "$@"; n13=$#; set -- "$@"x; n14=$#; set -- "${u[@]}"; n15=$#
arr=($s end); n16=${#arr[@]}; IFS=; set -- $s; n17=$#; unset IFS; set -- $s; n18=$#
IFS=x; v=axbxc; set -- $v; n19=$#; w=$v; set -- ${v}q; n20=$#; l20=$3; set -- $((1*8)); IFS=1; set -- $((10+11)); n21=$#
