package tested

// predictions are mistakes in what predicts which nodes are near.
var predictions = []Mutant{
	{
		Name: "dtm-second-join-skipped", File: "protocol/dtm/join.go",
		Old: "case j.joins < simulatedJoins:", New: "case j.joins < simulatedJoins-1:",
		Why:  "a host takes the first place that it finds, and is more often predicted to be far from its own cluster",
		Test: "TestClustersAtSites", Where: "scheduler/embed",
	}, {
		Name: "approximate-below-diameter", File: "protocol/dtm/approximate.go",
		Old: "if far[q] <= diameter {", New: "if far[q] < diameter {",
		Why:  "nodes at the very diameter are not candidates, though a cluster may have them",
		Test: "TestApproximateAgainstAllSets",
	}, {
		Name: "approximate-old-label", File: "protocol/dtm/approximate.go",
		Old: "cmp.Compare(x.far, y.far)", New: "cmp.Compare(y.far, x.far)",
		Why:  "the label of a host that an earlier report named hides the present one",
		Test: "TestApproximateOfOldLabels",
	}, {
		Name: "subset-by-age", File: "protocol/dtm/approximate.go",
		Old: "cmp.Compare(draw(a), draw(b))", New: "cmp.Compare(draw(a)-draw(a), draw(b)-draw(b))",
		Why:  "all heads of a large set solicit the same few nodes",
		Test: "TestSubset",
	}, {
		Name: "near-unpredicted", File: "protocol/peer/predict.go",
		Old: "!slices.Contains(predicted, id) })", New: "!slices.Contains(predicted, id) && len(ids) == 0 })",
		Why:  "nodes become candidates that are not predicted to be near",
		Test: "TestNearNodesArePredicted",
	}, {
		Name: "silent-for-good", File: "protocol/peer/follow.go",
		Old: "if slices.Contains(near, id) {", New: "if len(near) == 0 {",
		Why:  "two nodes that did not hear each other for a lease never run a job together again",
		Test: "TestSilentMembersComeBack",
	}, {
		Name: "regains-the-absent", File: "protocol/peer/follow.go",
		Old: "if slices.Contains(near, id) {", New: "if len(near) > 0 {",
		Why:  "jobs are given to members that nobody has heard of",
		Test: "TestSilentMembersComeBack",
	},
}
