# Manual pages, completions and --help against the option tables.
load lib

tools="msp-check-env msp-scan-paths msp-inject msp-run msp-verify"

# The options that --help lists: "-x --name" or "- --name", a line each.
options() {
	"$1" --help | sed -nE \
		-e 's/^  (-[A-Za-z0-9]), (--[a-z0-9-]+).*/\1 \2/p' \
		-e 's/^      (--[a-z0-9-]+).*/- \1/p'
}

@test "each tool prints help and version, to standard output" {
	for t in $tools; do
		run -0 --separate-stderr "$t" --help
		[[ $output == "usage: $t ["* ]]
		[ -z "$stderr" ]
		same "$output" "$("$t" -h)"
		run -0 --separate-stderr "$t" --version
		same "$output" "$t $(cat "$TOP/VERSION")"
		same "$output" "$("$t" -V)"
	done
}

@test "a bad option is one line on standard error, and the tool's failure" {
	for t in $tools; do
		want=2
		[ "$t" != msp-run ] || want=125
		run -$want --separate-stderr "$t" --no-such-option </dev/null
		[ -z "$output" ]
		[ "$(wc -l <<<"$stderr")" = 1 ]
		has "$stderr" "--no-such-option"
	done
}

@test "one letter means one thing in all tools" {
	for t in $tools; do options "$t"; done | grep -v '^- ' | sort -u |
		cut -d' ' -f1 | uniq -d >twice
	same "" "$(cat twice)"
	for t in $tools; do options "$t"; done | grep -v '^- ' | sort -u |
		cut -d' ' -f2 | sort | uniq -d >twice
	same "" "$(cat twice)"
}

@test "every option stands in the page, and the page has no other" {
	for t in $tools; do
		page=$TOP/man/$t.1
		options "$t" | while read -r letter name; do
			grep -qE "Fl -${name#--}( |\$)" "$page" || {
				echo "$t: $name is not in the page"
				exit 1
			}
			[ "$letter" = - ] ||
				grep -qE "Fl ${letter#-}( |\$)" "$page" || {
				echo "$t: $letter is not in the page"
				exit 1
			}
		done
		sed -nE 's/^\.It (Fl . , )?Fl -([a-z0-9-]+).*/--\2/p' "$page" |
			sort -u >page.list
		for name in $(cat page.list); do
			case $name in
			--profile | --no-*) continue ;;
			esac
			options "$t" | grep -q -e " $name\$" || {
				echo "$t: the page has $name"
				exit 1
			}
		done
	done
}

@test "every exit status of the contract stands in the page" {
	for t in $tools; do
		page=$TOP/man/$t.1
		sed -n '/^\.Sh EXIT STATUS/,/^\.Sh/p' "$page" >status
		list="0 1 2"
		[ "$t" != msp-run ] || list="0 124 125 126 127"
		for n in $list; do
			grep -qE "^\.It .*\b$n\b" status || {
				echo "$t: $n is not in EXIT STATUS"
				exit 1
			}
		done
	done
}

@test "the completion offers what --help lists" {
	for t in $tools; do
		(
			# shellcheck disable=SC1091
			. "$TOP/cmd/completion/msp.bash"
			COMP_WORDS=("$t" "--") COMP_CWORD=1
			_msp
			printf '%s\n' "${COMPREPLY[@]}" | sort
		) >offered
		options "$t" | cut -d' ' -f2 | sort >listed
		diff listed offered
		grep -q "$t" "$TOP/cmd/completion/_msp"
	done
}

@test "help is Chinese where the user is" {
	for t in $tools; do
		LC_ALL=zh_CN.UTF-8 "$t" --help >zh
		grep -q '用法' zh
		sed -nE 's/^ {2,}(-., )?--[a-z0-9-]+.*/&/p' zh >lines
		[ -s lines ]
		! LC_ALL=C grep -vq '[^ -~]' <(sed -nE 's/^ +(-., )?--[a-z-]+ *[A-Z:|]* {2,}//p' zh)
	done
}

@test "the records of the code are those of msp(5)" {
	grep -oE '^REC\([A-Z]+, "[a-z]+"' "$TOP/lib/records.def" |
		cut -d'"' -f2 | while read -r record; do
		grep -qE "^\.It Li $record( |\$)" "$TOP/man/msp.5" || {
			echo "$record is not in msp(5)"
			exit 1
		}
	done
	# Every field of every record is named there, in this order.
	tr -d '\n' <"$TOP/lib/records.def" | sed 's/REC(/\n&/g' |
		sed -nE 's/^REC\([A-Z]+, "([a-z]+)",(.*), *NULL\).*/\1 \2/p' |
		tr -d '",' | tr -s ' ' | while read -r record fields; do
		[ "$record" != sum ] || continue
		page=$(sed -nE "/^\.It Li $record /,/^\./{s/^\.It Li //;/^\.|^[A-Z]/!p}" \
			"$TOP/man/msp.5" | tr -d '\\' | tr '\n' ' ' | sed 's/ Ar / /g' | tr -s ' ')
		case $page in
		"$record $fields "*) ;;
		*)
			echo "msp(5): $page"
			echo "records.def: $record $fields"
			exit 1
			;;
		esac
	done
}

# verdicts TOOL: the words that the code can put into its sum: literals in
# calls of ..._sum(), and in the tables and the function that name verdicts.
verdicts() {
	cat "$TOP"/cmd/"$1"/*.c | tr -d '\n' | tr '\t' ' ' |
		grep -oE '_sum\([^;{]*|verdicts\[\] = \{[^}]*\}|verdict_name\(enum [^;]*\};' |
		grep -oE '"[a-z-]+"|T_[A-Z_]+\.en' |
		while IFS='"' read -r text word; do
			[ -n "$word" ] ||
				word=$(sed -n "s/^TEXT(${text:2:-3}, \"\", \"\([a-z-]*\)\".*/\1/p" \
					"$TOP/cmd/$1/text.def")
			echo "${word%\"}"
		done | sort -u
}

@test "the verdicts of the code are those of msp(5)" {
	for t in $tools; do
		sed -n "/^\.Xr $t 1 :/,/^\.Xr\|^\.Pc/p" "$TOP/man/msp.5" |
			sed -n 's/^\.Li//p' | tr -s ' ,;' '\n' | sort -u >page
		verdicts "$t" >code
		[ "$(wc -l <code)" -ge 1 ]
		same "" "$(comm -23 code page)"
	done
	# In msp-verify(1) each has its meaning.
	for word in $(verdicts msp-verify); do
		case $word in cause | no-cause) continue ;; esac
		grep -q "^\.It Li $word\$" "$TOP/man/msp-verify.1"
	done
}

@test "the pages are clean for mandoc" {
	command -v mandoc >/dev/null || skip "no mandoc"
	for page in "$TOP"/man/*.[157]; do
		run mandoc -T lint -W warning "$page"
		same "" "$(grep -v 'outdated mandoc.db' <<<"$output")"
	done
}
