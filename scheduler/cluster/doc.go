// Package cluster finds clusters of near hosts from predicted latencies, without messages: the
// refinement of Jackson (2015), section 5.1, as one process.
//
//	prediction            a tree of package embed
//	aggregation           each host reports the hosts nearest a neighbour in the tree to it
//	first approximation   the largest set of a diameter that a host knows of and is in
//	subset                if that is larger than a cluster may be, some of it
//	membership (5.1.1)    hosts accept as many heads as they may, by a criterion
//	filtering (5.1.2)     members measure each other; the largest clique remains
//	symmetry (5.1.3)      a host advertises the largest cluster that it is in
//
// # Usage
//
// [Find] does all of it. [Aggregate], [Largest], [Limit], [Filter] and [Adopt] are its steps. The
// [Quality] of the result describes the sizes of the clusters, their overlaps, and their cost.
//
// # Guarantees
//
//   - SizeBound: no cluster has more hosts than [Settings] allow.
//   - MembershipBound: before symmetry no host is in more clusters than they allow, its own
//     included.
//   - Measured: no pair of a cluster is farther apart than the diameter.
//   - Advertises: a host advertises its own cluster or a larger cluster that contains it.
//   - One decision: packages dtm and refine decide about reports, rejections, the remaining clique
//     and the advertised cluster, as in nodes. The first approximation is found faster than by
//     dtm.Approximate, with the same result.
//   - Repeatable: equal inputs, settings and seeds give equal clusters, on every machine and with
//     any number of processors.
//
// # Assumptions
//
//   - The steps follow each other: no host solicits before all know their candidates, and no host
//     is measured before all have answered. Nodes do all of it at once.
//   - Solicitations come in a random order. A client answers when its last one has come, and heads
//     and clients receive each answer at once.
//   - There is one round: a head does not ask again when filtering has freed places.
package cluster
