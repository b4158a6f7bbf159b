# What static expansion calls known is what bash has.
load lib

@test "of scripts that compute much, bash has every value that is known" {
	run "$TOP/test/soundness" "$BUILD" "$TOP/test/data/shval"
	echo "$output"
	[ "$status" = 0 ]
	has "$output" " 0 differ"
	hasnt "$output" "0 ran to their end"
}

@test "the comparison finds a difference" {
	mkdir -p fake/test/unit
	cat >fake/test/unit/shvaldump <<-'END'
		#!/bin/sh
		echo '__msp_at_2_1() { __msp_args torchrun a.py c; __msp_v A 2; }'
		echo '__msp_end() { __msp_v A 2; __msp_n B; __msp_a C 0 x; }'
	END
	chmod +x fake/test/unit/shvaldump
	printf 'A=1 B=x C=(x y)\ntorchrun a.py b\n' >s.sh
	run "$TOP/test/soundness" fake s.sh
	[ "$status" = 1 ]
	has "$output" "line 2: runs <'torchrun' 'a.py' 'b'>, not <'torchrun' 'a.py' 'c'>"
	has "$output" "line 2: A is <1>, not <2>"
	has "$output" "end: A is <1>, not <2>"
	has "$output" "end: B is <x>, not unset"
	has "$output" "end: C has 2, not 1"
}

@test "of the hard cases, too" {
	local cases=$TOP/../shared/cases/shell
	[ -d "$cases" ] || skip "no ../shared/cases"
	run "$TOP/test/soundness" "$BUILD" -C "$cases" "$cases"
	echo "$output"
	[ "$status" = 0 ]
}
