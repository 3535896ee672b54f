package philosophers

// forkByFork yields the actions of the i-th philosopher, which takes one fork, then the other, and
// puts both down after eating. If ordered, the last philosopher takes the right fork first.
func forkByFork(t Table, seats, i int, ordered bool, yield func(int, Table)) {
	first, second := i, (i+1)%seats
	if ordered && i == seats-1 {
		first, second = second, first
	}
	pick := func(fork int, mood Mood, kind int) {
		if !t.Forks[fork].Used {
			next := t
			next.Forks[fork].Used, next.Moods[i] = true, mood
			yield(kinds*i+kind, next)
		}
	}
	next := t
	switch t.Moods[i] {
	case Thinking:
		next.Moods[i] = Hungry
		yield(kinds*i+becomeHungry, next)
	case Hungry:
		pick(first, Waiting, take)
	case Waiting:
		pick(second, Eating, eat)
	case Eating:
		next.Moods[i], next.Forks[first].Used, next.Forks[second].Used = Thinking, false, false
		yield(kinds*i+finish, next)
	}
}

// handInHand yields the actions of the i-th philosopher, which gets forks from its neighbours. A
// neighbour that does not eat hands a dirty fork over on demand. A neighbour that eats does so when
// it finishes: otherwise a neighbour that eats again and again might never be asked at the right
// time.
func handInHand(t Table, seats, i int, yield func(int, Table)) {
	left, right := i, (i+1)%seats
	before, after := (i+seats-1)%seats, right
	next := t
	switch t.Moods[i] {
	case Thinking:
		next.Moods[i] = Hungry
		yield(kinds*i+becomeHungry, next)
	case Hungry:
		if f := t.Forks[left]; f.Right && !f.Clean && t.Moods[before] != Eating {
			next.Forks[left] = Fork{Clean: true}
			yield(kinds*i+take, next)
			next = t
		}
		if f := t.Forks[right]; !f.Right && !f.Clean && t.Moods[after] != Eating {
			next.Forks[right] = Fork{Right: true, Clean: true}
			yield(kinds*i+take, next)
			next = t
		}
		if !t.Forks[left].Right && t.Forks[right].Right {
			next.Moods[i] = Eating
			yield(kinds*i+eat, next)
		}
	case Eating:
		next.Moods[i] = Thinking
		hungry := t.Moods[before] == Hungry
		next.Forks[left] = Fork{Right: hungry, Clean: hungry}
		hungry = t.Moods[after] == Hungry
		next.Forks[right] = Fork{Right: !hungry, Clean: hungry}
		yield(kinds*i+finish, next)
	}
}
