package philosophers

import (
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
)

// MaxSeats bounds the philosophers at a table.
const MaxSeats = 8

// ErrSeats is wrapped by the error about a number of philosophers that cannot be.
var ErrSeats = errors.New("impossible number of philosophers")

// Rule says how forks are taken.
type Rule uint8

// The rules.
const (
	LeftFirst Rule = iota
	Ordered
	Courteous
)

// Mood is what a philosopher is about.
type Mood uint8

// The moods. Only those who take fork by fork are waiting: with one in hand, for the other.
const (
	Thinking Mood = iota
	Hungry
	Waiting
	Eating
)

// String is a letter: t, h, w or e.
func (m Mood) String() string { return "thwe"[m : m+1] }

// Fork is where a fork is. Under the first two rules it lies on the table or is in use; under
// Courteous it always has a holder.
type Fork struct {
	Used  bool // in somebody's hand, by the first two rules
	Right bool // held by the philosopher whose right fork it is, else by the one whose left it is
	Clean bool
}

// Table is a state: who is in which mood and where the forks are. Fork i is to the left of
// philosopher i, and to the right of the one before.
type Table struct {
	Moods [MaxSeats]Mood
	Forks [MaxSeats]Fork
}

// The kinds of actions of each philosopher.
const (
	becomeHungry = iota
	take
	eat
	finish
	kinds
)

// New returns the model of a table with so many seats under a rule.
func New(seats int, rule Rule) (*checker.ValueModel[Table], error) {
	if seats < 2 || seats > MaxSeats {
		return nil, fmt.Errorf("%w: %d; it must be from 2 to %d", ErrSeats, seats, MaxSeats)
	}
	spec := checker.Spec[Table]{Init: []Table{{}}, Encode: encode}
	for i := range seats {
		for _, kind := range [kinds]string{"hungry", "take", "eat", "finish"} {
			spec.Classes = append(spec.Classes, checker.Class{Name: fmt.Sprint(kind, i), Fair: kind != "hungry"})
		}
	}
	spec.Next = func(t Table, yield func(int, Table)) {
		for i := range seats {
			forkByFork(t, seats, i, rule == Ordered, yield)
		}
	}
	if rule == Courteous {
		// At first the one with the smaller number holds a fork, so waiting goes in no circle.
		spec.Init[0].Forks[0].Right = false
		for i := 1; i < seats; i++ {
			spec.Init[0].Forks[i].Right = true
		}
		spec.Next = func(t Table, yield func(int, Table)) {
			for i := range seats {
				handInHand(t, seats, i, yield)
			}
		}
	}
	spec.Properties = properties(seats)
	return checker.Of(spec), nil
}

func encode(dst []byte, t Table) []byte {
	for i, mood := range t.Moods {
		code := byte(mood)
		for bit, set := range []bool{t.Forks[i].Used, t.Forks[i].Right, t.Forks[i].Clean} {
			if set {
				code |= 4 << bit
			}
		}
		dst = append(dst, code)
	}
	return dst
}

func properties(seats int) []checker.Predicate[Table] {
	all := []checker.Predicate[Table]{{
		Property: checker.Property{Name: "Exclusion", Doc: "no two neighbours eat", Shape: checker.Always},
		Holds: func(t Table) bool {
			for i := range seats {
				if t.Moods[i] == Eating && t.Moods[(i+1)%seats] == Eating {
					return false
				}
			}
			return true
		},
	}}
	for i := range seats {
		all = append(all, checker.Predicate[Table]{
			Property: checker.Property{
				Name:  fmt.Sprint("Eats", i),
				Doc:   "who is hungry eats in the end",
				Shape: checker.LeadsTo,
			},
			Triggers: func(t Table) bool { return t.Moods[i] == Hungry },
			Holds:    func(t Table) bool { return t.Moods[i] == Eating },
		})
	}
	return all
}
