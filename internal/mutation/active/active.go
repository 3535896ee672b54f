package active

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
)

// None stands for no mutant.
const None = 0

// recording is the state of the switch in which no mutant is on, and it is noted which ones would
// make a difference.
const recording = math.MaxUint32

// on is the mutant that is on. It is read at each place, from any goroutine, and written only while
// no core runs.
var on uint32

// infected has a byte for each mutant, set once its place was reached and the mutant would have
// computed another value there. Goroutines may set a byte at the same time, to the same value.
var infected []byte

// Most bounds the numbers of mutants.
const Most = 1 << 16

// Switch turns a mutant on, and all others off.
func Switch(mutant uint32) { on = mutant }

// On returns the mutant that is on. A function with alternative bodies begins by asking for it.
func On() uint32 { return on }

// Record turns all mutants off and begins to note which would make a difference.
func Record() { on, infected = recording, make([]byte, Most) }

// Recorded stops the recording and returns the mutants noted, in their order.
func Recorded() []uint32 {
	on = None
	var all []uint32
	for id, there := range infected {
		if there != 0 {
			all = append(all, uint32(id))
		}
	}
	return all
}

// Variables of the environment of test binaries: the mutant that is on, or a file to which the
// numbers of the mutants are appended that would make a difference, a line each.
const (
	Variable     = "CANVASS_MUTANT"
	FileVariable = "CANVASS_MUTANT_RECORD"
)

var file *os.File

func init() {
	if text := os.Getenv(Variable); text != "" {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			panic(Variable + ": " + err.Error())
		}
		Switch(uint32(n))
	}
	if path := os.Getenv(FileVariable); path != "" {
		opened, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(FileVariable + ": " + err.Error())
		}
		file = opened
		Record()
	}
}

// Environment returns the environment of a process that code with mutants starts: the mutant goes
// with it, if the process is of the same binary.
func Environment(of []string) []string {
	all := slices.Clone(of)
	for _, name := range []string{Variable, FileVariable} {
		if text := os.Getenv(name); text != "" {
			all = append(all, name+"="+text)
		}
	}
	return all
}

func note(id uint32, differs bool) {
	if !differs || infected[id] != 0 {
		return
	}
	infected[id] = 1
	if file != nil {
		fmt.Fprintln(file, id)
	}
}

// True returns v, or true if the mutant is on.
func True(id uint32, v bool) bool {
	switch on {
	case id:
		return true
	case recording:
		note(id, !v)
	}
	return v
}

// False returns v, or false if the mutant is on.
func False(id uint32, v bool) bool {
	switch on {
	case id:
		return false
	case recording:
		note(id, v)
	}
	return v
}

// Keep reports whether a statement is executed: not if the mutant is on.
func Keep(id uint32) bool {
	switch on {
	case id:
		return false
	case recording:
		note(id, true)
	}
	return true
}

// Or returns v, or the other value if the mutant is on.
func Or[T comparable](id uint32, v, other T) T {
	switch on {
	case id:
		return other
	case recording:
		note(id, v != other)
	}
	return v
}

// Zero returns v, or the zero value of its type if the mutant is on.
func Zero[T any](id uint32, v T) T {
	switch on {
	case id:
		var zero T
		return zero
	case recording:
		note(id, true)
	}
	return v
}

// Skip returns what an encoder appends to dst, or dst if the mutant is on.
func Skip(id uint32, dst []byte, encode func([]byte) []byte) []byte {
	switch on {
	case id:
		return dst
	case recording:
		note(id, true)
	}
	return encode(dst)
}

// number is a type that numbers can be computed in.
type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Plus returns a + b, or a - b if the mutant is on.
func Plus[T number](id uint32, a, b T) T { return Or(id, a+b, a-b) }

// Minus returns a - b, or a + b if the mutant is on.
func Minus[T number](id uint32, a, b T) T { return Or(id, a-b, a+b) }

// Less returns a < b, or a <= b if the mutant is on. The next three are alike.
func Less[T cmp.Ordered](id uint32, a, b T) bool { return Or(id, a < b, a <= b) }

// AtMost returns a <= b, or a < b if the mutant is on.
func AtMost[T cmp.Ordered](id uint32, a, b T) bool { return Or(id, a <= b, a < b) }

// Greater returns a > b, or a >= b if the mutant is on.
func Greater[T cmp.Ordered](id uint32, a, b T) bool { return Or(id, a > b, a >= b) }

// AtLeast returns a >= b, or a > b if the mutant is on.
func AtLeast[T cmp.Ordered](id uint32, a, b T) bool { return Or(id, a >= b, a > b) }

// Pick is Or for values that cannot be compared.
func Pick[T any](id uint32, v, other T) T {
	switch on {
	case id:
		return other
	case recording:
		note(id, true)
	}
	return v
}
