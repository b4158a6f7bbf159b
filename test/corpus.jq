# shfmt's simple commands: start and end of the words behind assignments, the
# line, the number of words. Declarations and let are commands.
def row($from; $to; $line; $words): "\($from) \($to) \($line) \($words)";
.. | objects
| if .Type == "CallExpr" and (.Args | length) > 0 then
	row(.Args[0].Pos.Offset; .Args[-1].End.Offset; .Args[0].Pos.Line;
		.Args | length)
elif .Type == "DeclClause" then
	row(.Pos.Offset; .End.Offset; .Pos.Line; 1 + (.Args | length))
elif .Type == "LetClause" then
	row(.Pos.Offset; .End.Offset; .Pos.Line; 1 + (.Exprs | length))
else
	empty
end
