package philosophers

import (
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
)

// MaxSeats bounds the philosophers at a table.
const MaxSeats = 8

// ErrSeats is wrapped by the error about an impossible number of philosophers.
var ErrSeats = errors.New("impossible number of philosophers")

// Rule says how forks are taken.
type Rule uint8

// The rules.
const (
	LeftFirst Rule = iota
	Ordered
	Courteous
)

// Mood is the mode that a philosopher is in.
type Mood uint8

// The moods. A philosopher that takes fork by fork waits with one fork in hand for the other.
const (
	Thinking Mood = iota
	Hungry
	Waiting
	Eating
)

// String is a letter: t, h, w or e.
func (m Mood) String() string { return "thwe"[m : m+1] }

// Fork is the state of a fork. Under the first two rules it lies on the table or is in use. Under
// Courteous a philosopher always holds it.
type Fork struct {
	Used  bool // taken, under the first two rules
	Right bool // held by the philosopher whose right fork it is, else by the one whose left it is
	Clean bool
}

// Table is a state: the moods of all philosophers and the states of all forks. Fork i is to the
// left of philosopher i, and to the right of the one before.
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

// New returns the model of a table with that many seats under a rule.
func New(seats int, rule Rule) (*checker.ValueModel[Table], error) {
	if seats < 2 || seats > MaxSeats {
		return nil, fmt.Errorf("%w: %d; it must be from 2 to %d", ErrSeats, seats, MaxSeats)
	}
	// Nothing makes a philosopher hungry.
	spec := checker.Spec[Table]{Init: []Table{{}}, Encode: encode, Stutters: true}
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
		// At first the neighbour with the smaller number holds a fork, so no cycle of waiting exists.
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
				Doc:   "a hungry philosopher eats in the end",
				Shape: checker.LeadsTo,
			},
			Triggers: func(t Table) bool { return t.Moods[i] == Hungry },
			Holds:    func(t Table) bool { return t.Moods[i] == Eating },
		})
	}
	return all
}
