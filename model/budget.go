package model

import (
	"strconv"
	"strings"
)

// maxBudget is the largest budget of one fault: a run's spent budget is packed into one word.
const maxBudget = 15

// fault is one kind of fault, by its place in the packed budget.
type fault uint8

const (
	drop fault = iota
	duplicate
	spurious
	crash
	restart
	suspect
	faults
)

var faultNames = [faults]string{"drop", "duplicate", "spurious", "crash", "restart", "suspect"}

// packed is what is left of a budget, four bits a fault.
type packed uint32

// list returns the budget of each fault.
func (b Budget) list() [faults]int {
	return [faults]int{b.Drop, b.Duplicate, b.Spurious, b.Crash, b.Restart, b.Suspect}
}

func (b Budget) packed() packed {
	var p packed
	for i, n := range b.list() {
		p |= packed(n) << (4 * i)
	}
	return p
}

func (p packed) left(f fault) bool    { return p>>(4*f)&maxBudget != 0 }
func (p packed) spend(f fault) packed { return p - 1<<(4*f) }

func (p packed) String() string {
	var parts []string
	for f := range faults {
		if n := p >> (4 * f) & maxBudget; n > 0 {
			parts = append(parts, faultNames[f]+" "+strconv.Itoa(int(n)))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// String lists the faults of the budget: "drop 1, crash 1", or "none".
func (b Budget) String() string { return b.packed().String() }
