package statekey

// How well vectors fold depends on which words are neighbours. A pair of words that determine each other
// has few values, one of words that have nothing to do with each other as many as the product, and a pair
// that holds nearly all there is to know of a state has as many as there are states. Models like to list
// first one component of all nodes, then another; then it is better to fold the components of each node.
// Which order is best is found out by trying the likely ones on states that were found.

// orderSample is how many states an order is tried on.
const orderSample = 1 << 15

// Found gives access to the states found, for layouts that depend on them.
type Found struct {
	Count     uint32
	Vector    func(i uint32) []uint32 // valid until the next call
	Cancelled func() bool             // asked now and then whether to give up
}

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

// BestOrder is the layout with the fewest pairs among the states found last: that of the order at hand
// unless another saves a quarter of them.
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

// pairsOf is the number of pairs that some states fold into.
func pairsOf(found Found, leaves []leaf) int {
	f := NewFolder(&PairTable{}, leaves)
	var folded []uint32
	for i := found.Count - min(found.Count, orderSample); i < found.Count; i++ {
		folded = f.fold(folded[:0], found.Vector(i))
	}
	return f.pairs.len()
}
