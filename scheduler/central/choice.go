package central

// choose picks one of the queue's clusters. left says how many nodes a cluster would have left
// over; less than 0 means that it cannot be chosen. It returns -1 if none can.
func (b *base) choose(left func(cluster int) int) int {
	best, bestLeft, found := -1, 0, 0
	for _, c := range b.places {
		l := left(c)
		if l < 0 {
			continue
		}
		found++
		if best < 0 || b.better(c, l, best, bestLeft) {
			best, bestLeft = c, l
		}
	}
	if found < 2 || b.options.Choice != "random" {
		return best
	}
	number := b.draw.IntN(found)
	for _, c := range b.places {
		if left(c) < 0 {
			continue
		}
		if number == 0 {
			return c
		}
		number--
	}
	panic("central: fewer clusters can be chosen than before")
}

// better reports whether a cluster is chosen rather than one before it.
func (b *base) better(c, left, than, thanLeft int) bool {
	switch b.options.Choice {
	case "best":
		return left < thanLeft
	case "fastest":
		a, b := b.clusters[c].SpeedPermille, b.clusters[than].SpeedPermille
		return a > b || a == b && left < thanLeft
	}
	return false
}

// room finds a cluster in which a job can start now.
func (b *base) room(j int32) int {
	nodes := b.jobs[j].Nodes
	return b.choose(func(c int) int { return b.free[c] - nodes })
}
