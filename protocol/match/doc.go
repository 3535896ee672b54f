// Package match implements the comparison of requirements with resources of Jackson (2015),
// section 4.2: which node satisfies a job, and which of two nodes is the smaller.
//
// Both are points of the same space. The paper compares all dimensions alike, by size. That is
// wrong for two kinds of dimensions, so each dimension has a [Class]. A Linux job cannot run on the
// next larger operating system: that dimension is compared for equality. The virtual dimension of a
// map only spreads nodes over it: that dimension is not compared.
//
// # Usage
//
// Describe the dimensions once, as [Classes]. Ask [Satisfies] whether a node can run a job, and
// [Less] which of two nodes to prefer for it: the smaller, so that larger ones stay free for jobs
// that need them.
//
// # Guarantees
//
//   - Order: Less is a strict partial order, in both forms.
//   - Monotone: if a node satisfies a requirement, so does every node that it is less than.
//   - Blind: a dimension of class Ignored never changes an answer.
//   - Complete: on a map that does not change, a search finds a node that satisfies the requirement
//     if there is one. It visits only nodes whose zones meet the region of the points that satisfy
//     it, each of them at most once, and the token moves less than twice as often as it visits.
//
// # Assumptions
//
//   - The caller says how many dimensions count. Values in the others are not looked at.
//   - On a map that changes, the caller sets Search.Unsure when the search may have missed a node.
//     Otherwise a search may end as Exhausted although a node could run the job.
//   - Two nodes that Less compares can run the same jobs in dimensions of class Equal. A caller
//     compares only nodes that satisfy one job, so they have equal values there.
//
// # Differences from the paper
//
//	rule                                          | what breaks without it
//	  evidence
//	----------------------------------------------+--------------------------------------------------
//	a dimension may be compared for equality, or  | a job runs where it cannot; every site has one
//	not at all                                    | value in the virtual dimension: none is smaller
//	  transform-compared-by-size, virtual-compared
//	a job that neither owner nor neighbours can   | the job fails although another node can run it
//	run is searched for, depth-first              |
//	  peer/limit-no-search, seek-stops-at-owner
//	smaller: nowhere larger and somewhere smaller | among equal machines no site is smaller, and a
//	(strict: smaller everywhere, as published)    | hash draws
//	  TestTheSmallerSite
package match
