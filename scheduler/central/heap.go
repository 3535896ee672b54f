package central

// item is a job in a heap, by its key and then by its order.
type item struct {
	key        int64
	order, job int32
}

func (a item) before(b item) bool {
	return a.key < b.key || a.key == b.key && a.order < b.order
}

// heap is a binary heap whose first item is the least. Package container/heap would allocate for
// each item.
type heap []item

func (h *heap) push(x item) {
	*h = append(*h, x)
	s := *h
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !x.before(s[parent]) {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = x
}

func (h *heap) pop() item {
	s := *h
	first, x := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for {
		child := 2*i + 1
		if child >= len(s) {
			break
		}
		if child+1 < len(s) && s[child+1].before(s[child]) {
			child++
		}
		if !s[child].before(x) {
			break
		}
		s[i] = s[child]
		i = child
	}
	if len(s) > 0 {
		s[i] = x
	}
	return first
}

// next is the key of the first item, or never.
func (h heap) next() int64 {
	if len(h) == 0 {
		return never
	}
	return h[0].key
}
