package dtm

import "slices"

// Nearest returns which hosts of some sets are nearest one host, as a host reports to a neighbour
// in the anchor tree: at most limit, nearest first, then by identity. The host itself is left out,
// and so are labels of another tree. The nearest of several labels of one host counts. The cost is
// one prediction for each label of the sets, and limit steps for each label that is nearer than
// those before.
func Nearest(to Label, limit int, sets ...[]Label) []Label {
	if len(to) == 0 || limit <= 0 {
		return nil
	}
	best := make([]ranked, 0, limit+1)
	for _, set := range sets {
		for _, label := range set {
			if len(label) == 0 || label[0].Host == to[0].Host {
				continue
			}
			far, ok := Predict(to, label)
			if ok {
				best = insert(best, ranked{far, label}, limit)
			}
		}
	}
	labels := make([]Label, len(best))
	for i := range best {
		labels[i] = best[i].label
	}
	return labels
}

// ranked is a host and its predicted latency.
type ranked struct {
	far   int64
	label Label
}

func (r ranked) before(other ranked) bool {
	return r.far < other.far || r.far == other.far && r.label[0].Host.Compare(other.label[0].Host) < 0
}

// insert puts a host where it belongs, unless it is there already or there are enough nearer ones.
func insert(best []ranked, r ranked, limit int) []ranked {
	if len(best) == limit && !r.before(best[limit-1]) {
		return best
	}
	same := slices.IndexFunc(best, func(b ranked) bool { return b.label[0].Host == r.label[0].Host })
	if same >= 0 {
		if !r.before(best[same]) {
			return best
		}
		best = slices.Delete(best, same, same+1)
	}
	at, _ := slices.BinarySearchFunc(best, r, func(b, r ranked) int {
		if b.before(r) {
			return -1
		}
		return 1
	})
	best = slices.Insert(best, at, r)
	return best[:min(len(best), limit)]
}
