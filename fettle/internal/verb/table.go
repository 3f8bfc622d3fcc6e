package verb

// table is every verb, in the order help and the MCP tool list show them.
var table = []*Verb{
	find,
	search,
	read,
	roots,
	doctor,
	setup,
	tasks,
	run,
}
