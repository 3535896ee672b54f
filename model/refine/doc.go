// Package refine holds the closed systems in which the refinement of clusters is checked: the corrected core
// (package protocol/refine) and the printed one, on the same nodes, under the same faults and against the same
// properties. The properties see a node as a [View] only, so an adapter makes them those of another core.
package refine
