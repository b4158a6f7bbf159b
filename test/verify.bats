#!/usr/bin/env bats
# msp-verify: every tree of trees.bash, what is said of it, and the ways in.

load lib
load trees

verify() {
	msp-verify -F tsv "$@"
}

# seen: the verdict and the ids of the findings in a TSV report.
seen() {
	printf '%s\n' "$1" | awk -F'\t' '
		$1 == "sum" { v = $2 }
		$1 == "find" && !had[$2]++ { id[n++] = $2 }
		END {
			for (i = 0; i < n; i++)
				for (j = i + 1; j < n; j++)
					if (id[j] < id[i]) {
						t = id[i]; id[i] = id[j]; id[j] = t
					}
			printf "%s|", v
			for (i = 0; i < n; i++)
				printf "%s%s", i ? " " : "", id[i]
		}'
}

status_of() {
	case $1 in
	complete | degraded | nothing-expected) echo 0 ;;
	running) echo 3 ;;
	unreadable) echo 2 ;;
	*) echo 1 ;;
	esac
}

# trees_are PATTERN: all trees whose id matches give what they should
trees_are() {
	local id dir got status bad=0
	for id in $(tree_list | grep -E "$1"); do
		[ "$id" != b36 ] || [ "$(id -u)" != 0 ] || continue
		mkdir "$id"
		dir=$id/p
		tree "$id" "$dir"
		status=0
		# shellcheck disable=SC2046
		got=$(verify $(tree_args "$id") "$(tree_path "$id" "$dir")") ||
			status=$?
		if [ "$(seen "$got")" != "$(tree_verdict "$id")|$(tree_ids "$id")" ] ||
			[ "$status" != "$(status_of "$(tree_verdict "$id")")" ]; then
			printf '%s: %s, exit %s\n%s\n' "$id" \
				"$(seen "$got")" "$status" "$got"
			bad=1
		fi
		chmod -R u+rwX "$id"
		rm -rf "$id"
	done
	return $bad
}

@test "good trees have no finding but what is noted" {
	trees_are '^g'
}

@test "bad trees have their findings and no other: b1 to b19" {
	trees_are '^b(1?[0-9])[a-z]?$'
}

@test "bad trees have their findings and no other: b20 to b48" {
	trees_are '^b[2-4][0-9][a-z]?$'
}
