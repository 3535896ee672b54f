package checker

import "slices"

// How well vectors fold depends on which words are neighbours. A pair of words that determine each other
// has few values, one of words that have nothing to do with each other as many as the product, and a pair
// that holds nearly all there is to know of a state has as many as there are states. Models like to list
// first one component of all nodes, then another; then it is better to fold the components of each node.
// Which order is best is found out by trying the likely ones on states that were found.

const (
	orderSample = 1 << 15 // states to try an order on
	orderAgain  = 8       // try again when there are so many times more states
	orderFrom   = 1 << 16 // and at least so many
)

// orders lists the orders of words worth trying: as they are, and as the halves, or nearly the halves,
// interleave.
func orders(width int) [][]int {
	asIs := make([]int, width)
	for i := range asIs {
		asIs[i] = i
	}
	all := [][]int{asIs}
	for half := width / 2; half > max(width/2-2, 1); half-- {
		var order []int
		for i := range half {
			order = append(order, i, half+i)
		}
		all = append(all, append(order, asIs[2*half:]...))
	}
	return all
}

// bestOrder is the layout with the fewest pairs among the states found last: that of the order at hand
// unless another saves a quarter of them.
func (e *engine) bestOrder(order []int, need []uint8) layout {
	best := layout{kind: folded, leaves: newLeaves(order, need)}
	fewest := e.pairsOf(best.leaves) * 3 / 4
	for _, o := range orders(e.states.width) {
		leaves := newLeaves(o, need)
		if n := e.pairsOf(leaves); n < fewest {
			best.leaves, fewest = leaves, n
		}
	}
	return best
}

// pairsOf is the number of pairs that some states fold into.
func (e *engine) pairsOf(leaves []leaf) int {
	f, reader := newFolder(&pairTable{}, leaves), newCursor(&e.states)
	var folded []uint32
	for i := e.states.count - min(e.states.count, orderSample); i < e.states.count; i++ {
		folded = f.fold(folded[:0], reader.vector(i))
	}
	return f.pairs.len()
}

// reorder folds anew where there are many more states than when the order was chosen and another proves
// better. It reports false if the check must end.
func (e *engine) reorder() bool {
	if e.layout.kind != folded || e.states.count < orderFrom || e.states.count/orderAgain < e.folded {
		return true
	}
	e.folded = e.states.count
	wanted, ok := e.survey()
	if !ok {
		return false
	}
	order := e.layout.order()
	l := e.bestOrder(order, wanted.now)
	if slices.Equal(l.order(), order) {
		return true
	}
	e.forget()
	return e.change(l)
}
