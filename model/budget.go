package model

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/traces"
)

// maxBudget is the largest budget of one fault: what is left of a budget is packed into one word.
const maxBudget = 15

// fault is a kind of fault, and its position in the packed budget.
type fault uint8

const (
	drop fault = iota
	duplicate
	spurious
	crash
	restart
	suspect
	late
	faults
)

var faultNames = [faults]string{"drop", "duplicate", "spurious", "crash", "restart", "suspect", "late"}

// packed is what is left of a budget, four bits a fault.
type packed uint32

// list returns the budget of each fault.
func (b Budget) list() [faults]int {
	return [faults]int{b.Drop, b.Duplicate, b.Spurious, b.Crash, b.Restart, b.Suspect, b.Late}
}

func (b Budget) packed() packed {
	var p packed
	for i, n := range b.list() {
		p |= packed(n) << (4 * i)
	}
	return p
}

func (p packed) left(f fault) bool { return p>>(4*f)&maxBudget != 0 }

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

// endless reports whether messages may arrive again without bound.
func (b Budget) endless() bool { return b.Repeat || b.Adversarial }

// adversarial reports whether messages may arrive out of time, dropped ones included.
func (b Budget) adversarial() bool { return b.Adversarial || b.Late > 0 }

// String lists the faults of the budget: "repeat without end, crash 1", or "none".
func (b Budget) String() string { return traces.Budget(b).String() }

// A state vector holds what is left of the budget as a number in a mixed radix. The digit of a
// fault is what is left of it, and its radix is one more than the budget allows. The last fault has
// the highest digit.

// stride returns what one fault of this kind counts in that number.
func (c *compiled[S, M, C]) stride(f fault) uint32 {
	whole, stride := c.Info.Budget.packed(), uint32(1)
	for lower := range f {
		stride *= uint32(whole>>(4*lower)&maxBudget) + 1
	}
	return stride
}

// word returns the number of a packed budget.
func (c *compiled[S, M, C]) word(left packed) uint32 {
	word := uint32(0)
	for f := range faults {
		word += uint32(left>>(4*f)&maxBudget) * c.stride(f)
	}
	return word
}

// leftOf returns the packed budget of a number.
func (c *compiled[S, M, C]) leftOf(word uint32) packed {
	whole, left := c.Info.Budget.packed(), packed(0)
	for f := range faults {
		radix := uint32(whole>>(4*f)&maxBudget) + 1
		left |= packed(word%radix) << (4 * f)
		word /= radix
	}
	return left
}
