package mutants

// large are mistakes that show only where there is more of something than in any model of the
// default run: limits, numbers that are cut to few bits, searches that are given up. A scenario of
// the simulator finds each, and no such model does. Seeds are about twice as many as it took.
var large = []Mutant{
	{
		Name: "large-update-seven", File: "can/update.go",
		Old: "Neighbours: table(n.Known).adjacentTo(n.Self.Zone), Dead",
		New: "Neighbours: table(n.Known).adjacentTo(n.Self.Zone)[:min(7, len(table(n.Known).adjacentTo(n.Self.Zone)))], " +
			"Dead",
		Why:      "an update has room for seven neighbours: receivers forget the others",
		Scenario: "can/steady", Seeds: 5,
	},
	{
		Name: "large-version-three-bits", File: "can/record.go",
		Old:      "if t[i].Version < r.Version {",
		New:      "if t[i].Version%8 < r.Version%8 {",
		Why:      "versions are compared in three bits: from the eighth change of a zone on the older record stays",
		Scenario: "can/bursts", Seeds: 24,
	},
	{
		Name: "large-few-hops", File: "can/join.go",
		Old:      "m.Hops >= n.cfg.HopLimit",
		New:      "m.Hops >= min(n.cfg.HopLimit, 5)",
		Why:      "a join is given up after five hops: a node far from its contact never joins",
		Scenario: "can/churn", Seeds: 30,
	},
	{
		Name: "large-known-twelve", File: "can/record.go",
		Old:      "return slices.Insert(t, i, r)",
		New:      "return slices.Insert(t, i, r)[:min(12, len(t)+1)]",
		Why:      "a node knows at most twelve others: of its neighbours it forgets the last",
		Scenario: "can/steady", Seeds: 10,
	},
	{
		Name: "large-cover-eight", File: "space/cover.go",
		Old: "for i, z := range zones {",
		New: "for i, z := range zones[:min(8, len(zones))] {",
		Why: "only eight zones are compared with a border: a node with more neighbours sees a gap where " +
			"there is none",
		Scenario: "can/churn", Seeds: 3,
	},
	{
		Name: "store-large-two-hints", File: "store/client.go",
		Old: "p.Redirects < n.cfg.RedirectLimit",
		New: "p.Redirects < min(n.cfg.RedirectLimit, 2)",
		Why: "an operation follows two hints and then starts again: it never reaches keys that are farther " +
			"away",
		Scenario: "store/churn", Seeds: 10,
	},
	{
		Name: "store-large-attempt-three-bits", File: "store/serve.go",
		Old:      "if m.Attempt < d.Attempt {",
		New:      "if m.Attempt%8 < d.Attempt%8 {",
		Why:      "attempts are compared in three bits: the eighth attempt looks old and is never answered",
		Scenario: "store/crash", Seeds: 15,
	},
	{
		Name: "refine-large-clique-eight-bits", File: "refine/graph.go",
		Old:      "func (s set) add(v int)      { s[v/wordBits] |= 1 << (v % wordBits) }",
		New:      "func (s set) add(v int)      { s[v/wordBits] |= 1 << (v % 8) }",
		Why:      "a set of nodes is packed into eight bits: the ninth candidate counts as the first",
		Scenario: "peer/jobs", Seeds: 25,
	},
	{
		Name: "refine-large-list-four", File: "refine/client.go",
		Old:      "len(m.Members) > n.cfg.SizeBound",
		New:      "len(m.Members) > min(n.cfg.SizeBound, 4)",
		Why:      "a member rejects a cluster of more than four as invalid and never commits to it",
		Scenario: "peer/jobs", Seeds: 5,
	},
	{
		Name: "reptask-large-six-candidates", File: "reptask/owner.go",
		Old:      "candidates > maxCandidates {",
		New:      "candidates > min(maxCandidates, 6) {",
		Why:      "a job with more than six candidates is rejected as impossible: a node with many neighbours owns no job",
		Scenario: "peer/jobs", Seeds: 5,
	},
	{
		Name: "peer-large-four-hops", File: "peer/job.go",
		Old:      "j.Hops >= n.cfg.HopLimit",
		New:      "j.Hops >= min(n.cfg.HopLimit, 4)",
		Why:      "a job is given up after four hops: jobs submitted far from their requirement are lost",
		Scenario: "peer/jobs", Seeds: 3,
	},
	{
		Name: "peer-large-cluster-four", File: "peer/follow.go",
		Old:      "for _, id := range cluster {",
		New:      "for _, id := range cluster[:min(4, len(cluster))] {",
		Why:      "the task layer is informed of four cluster members only: larger jobs are refused",
		Scenario: "peer/jobs", Seeds: 5,
	},
}
