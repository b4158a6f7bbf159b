# Splits a file of snippets: writes each to DIR/NAME@LINE.
# how: oils (#### titles), tree (=== titles, ---), go (all string literals),
# haskell (those of prop_ definitions).

function put(text, line,    file) {
	if (text == "" || index(text, "\001"))
		return
	file = dir "/" name "@" line
	if (seen[file]++)
		file = file "." seen[file]
	printf "%s", text >file
	close(file)
}

# Go's and Haskell's escapes; others make the snippet unusable.
function unescape(s,    out, c, i) {
	while ((i = index(s, "\\")) > 0) {
		c = substr(s, i + 1, 1)
		out = out substr(s, 1, i - 1)
		s = substr(s, i + 2)
		if (c == "n")
			c = "\n"
		else if (c == "t")
			c = "\t"
		else if (c == "r")
			c = "\r"
		else if (c == "&")
			c = ""
		else if (c != "\"" && c != "\\" && c != "'")
			c = "\001"
		out = out c
	}
	return out s
}

how == "oils" && /^#### / {
	put(text, start)
	text = ""
	start = NR
	expected = 0
	next
}
how == "oils" && /^## / {
	expected = /:$/
	next
}
how == "oils" && start && !expected { text = text $0 "\n" }

how == "tree" && /^===/ {
	state = state == "title" ? "source" : "title"
	text = ""
	start = NR + 2
	next
}
how == "tree" && /^---$/ && state == "source" {
	sub(/^\n/, "", text)
	sub(/\n$/, "", text)
	put(text, start)
	state = ""
}
how == "tree" && state == "source" { text = text $0 "\n" }

how == "haskell" {
	prop = /^prop_/ || (prop && /^[ \t]/)
	for (text = $0; prop && match(text, /"([^"\\]|\\.)*"/);) {
		put(unescape(substr(text, RSTART + 1, RLENGTH - 2)), NR)
		text = substr(text, RSTART + RLENGTH)
	}
}

how == "go" { all = all $0 "\n" }

END {
	if (how == "oils")
		put(text, start)
	line = 1
	while (match(all, /["`'\n]|\/\//)) {
		c = substr(all, RSTART, 1)
		all = substr(all, RSTART + RLENGTH)
		if (c == "\n")
			line++
		else if (c == "/")
			sub(/^[^\n]*/, "", all)
		else if (c == "'" && match(all, /^(\\.[^']*|[^'\\])'/))
			all = substr(all, RLENGTH + 1)
		else if (c == "`") {
			text = substr(all, 1, index(all, "`") - 1)
			all = substr(all, index(all, "`") + 1)
			put(text, line)
			line += gsub(/\n/, "\n", text)
		} else if (c == "\"") {
			match(all, /^([^"\\]|\\.)*"/)
			put(unescape(substr(all, 1, RLENGTH - 1)), line)
			all = substr(all, RLENGTH + 1)
		}
	}
}
