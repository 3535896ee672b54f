package statekey

// How well vectors fold depends on which words are neighbours. Two words that determine each other
// form few pairs. Two unrelated words form as many as the product of their values, and two words
// that together determine most of a state form as many as there are states. Models tend to list
// first one component of all nodes, then another; then it is better to fold the components of each
// node. The best order is found by trying the likely ones on states that were found.

// orderSample is how many states an order is tried on.
const orderSample = 1 << 15

// Found gives access to the states found, for layouts that depend on them.
type Found struct {
	Count     uint32
	Vector    func(i uint32) []uint32 // valid until the next call
	Cancelled func() bool             // checked from time to time
}

// orders lists the orders of words worth trying: as they are, and with the halves, or nearly the
// halves, interleaved.
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

// BestOrder is the layout with the fewest pairs among the states found last: that of the given
// order unless another one saves a quarter of them.
func BestOrder(found Found, order []int, need []uint8) Layout {
	best := Layout{Kind: Folded, Leaves: newLeaves(order, need)}
	fewest := pairsOf(found, best.Leaves) * 3 / 4
	for _, o := range orders(len(need)) {
		leaves := newLeaves(o, need)
		if n := pairsOf(found, leaves); n < fewest {
			best.Leaves, fewest = leaves, n
		}
	}
	return best
}

// pairsOf is the number of pairs that the states found last fold into.
func pairsOf(found Found, leaves []leaf) int {
	f := NewFolder(&PairTable{}, leaves)
	var folded []uint32
	for i := found.Count - min(found.Count, orderSample); i < found.Count; i++ {
		folded = f.fold(folded[:0], found.Vector(i))
	}
	return f.pairs.len()
}
