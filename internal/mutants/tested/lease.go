package tested

// lease are mistakes in the leases that no model notices.
var lease = []Mutant{
	{
		Name: "lease-own-former-life", File: "protocol/lease/witness.go",
		Old:  "g.Holder.Address != asks.Address",
		New:  "g.Holder != asks",
		Why:  "a node tries to enter the grid through its own former life",
		Test: "TestAFormerLifeIsNoContact",
	}, {
		Name: "lease-refused-newcomer-stays", File: "protocol/lease/holder.go",
		Old:  "\t\tif n.count(final) > 0 {",
		New:  "\t\tif n.count(final) > 1 {",
		Why:  "a life that some witnesses will never grant to asks them forever",
		Test: "TestARefusedNewcomer",
	}, {
		Name: "lease-refusal-is-final", File: "protocol/lease/holder.go",
		Old:  "a.Kind == Refusal && !a.Reason.final() {",
		New:  "a.Kind == Refusal && !n.final(a.Reason) {",
		Why:  "a holder loses its lease although the witness that it does not ask again would grant it by then",
		Test: "TestARefusalIsNotTheLastWord",
	}, {
		Name: "lease-generation-unpersisted", File: "protocol/lease/witness.go",
		Old:  "\tw.Generation, w.Founder = generation, founder\n\tn.durable = true\n",
		New:  "\tw.Generation, w.Founder = generation, founder\n",
		Why:  "a witness that comes back grants nothing until its grace is over, so that leases run out",
		Test: "TestAWitnessThatComesBack",
	}, {
		Name: "lease-behind-condemns", File: "protocol/lease/witness.go",
		Old:  "\tif !over && !granted && !n.Witness.Grace && !n.Witness.Behind {",
		New:  "\tif !over && !granted && !n.Witness.Grace {",
		Why:  "a witness condemns lives of a generation that it has not entered yet, and they lose it for good",
		Test: "TestAWitnessThatIsBehind",
	},
}
