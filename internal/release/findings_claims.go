package main

// claimRows are findings that need no checker: a test computes a counterexample to the claim.
func claimRows() []Row {
	return []Row{
		{
			Property: "membership bound", Test: "TestTheoremA3 in protocol/published/refine",
			Class: Flaw, Fault: "none, and no messages",
			What: "Theorem A.3 does not hold for the membership bound: both bounds are 2, C(x) = {x}, C(y) = {x, y}, " +
				"C(z) = {y, z}; after x has adopted the cluster of y, node y is in three clusters. Nor is the result injective, " +
				"as appendix A demands of a clustering",
			Correction: "AwarenessBound holds for advertised clusters, MembershipBound for committed ones only",
		},
	}
}
