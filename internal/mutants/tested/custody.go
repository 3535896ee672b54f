package tested

// custody are mistakes in the custodians of jobs that no model notices.
var custody = []Mutant{
	{
		Name: "custody-promise-unpersisted", File: "protocol/custody/view.go",
		Old:  "\tn.stored = true\n\tn.Primary.pause()\n",
		New:  "\tn.Primary.pause()\n",
		Why:  "a leader that comes back asks for a view again, and takes an old promise of it: another permit may be out",
		Test: "TestScripts",
	},
}
