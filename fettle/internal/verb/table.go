package verb

// table is every verb, in the order help and the MCP tool list show them.
var table = []*Verb{
	find,
	search,
	read,
	write,
	edit,
	replace,
	newFile,
	mkdir,
	move,
	copyVerb,
	deleteVerb,
	extract,
	execVerb,
	batch,
	roots,
	doctor,
	setup,
	tasks,
	run,
}
