package parallel

// ordered is the constraint on elements of a heap.
type ordered[T any] interface{ less(other T) bool }

// heap is a binary heap, the least first.
type heap[T ordered[T]] []T

func (h *heap[T]) push(x T) {
	*h = append(*h, x)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if !s[i].less(s[up]) {
			break
		}
		s[i], s[up] = s[up], s[i]
		i = up
	}
}

func (h *heap[T]) pop() T {
	s := *h
	top, last := s[0], len(s)-1
	s[0] = s[last]
	s = s[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2; child++ {
			if child < last && s[child].less(s[least]) {
				least = child
			}
		}
		if least == i {
			break
		}
		s[i], s[least] = s[least], s[i]
		i = least
	}
	*h = s
	return top
}

// end is the end of a task that runs.
type end struct {
	at   int64
	seq  uint64
	job  int32
	host int32
}

func (e end) less(other end) bool { return e.at < other.at || e.at == other.at && e.seq < other.seq }
