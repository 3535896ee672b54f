// Package liveness decides properties about the future of a state, on the graph of all states.
//
// All of them ask about states with an open obligation: those where one begins (the trigger holds
// and the goal does not), and the states that follow without a goal in between. A violation is a
// place among them from which there is no way on. For [MustMeet] that is a dead end or a fair
// cycle; for [MayMeet] and [MayAlwaysMeet] it is a state without a path to a goal.
//
// The graph is decomposed into strongly connected components (Tarjan's algorithm in Pearce's form).
// With strong fairness, parts of components are decomposed again (Emerson and Lei, 1987).
package liveness
