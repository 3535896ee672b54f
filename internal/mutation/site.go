package mutation

import (
	"fmt"
	"strings"
)

// Mutant is one systematic change of a core.
type Mutant struct {
	ID       uint32 // its number in this build of the cores, from 1
	Package  string // folder below the root
	Function string // Type.Method or Function
	Operator Operator
	Text     string // the source that is changed, on one line
	Nth      int    // of the equal ones in its function, from 1
	File     string
	Line     int
	Hash     string // of the text of the function
	Index    int    // among the mutants of its function, from 0
}

// Operator is a kind of change.
type Operator string

// The operators.
const (
	AlwaysTrue  Operator = "true"     // a condition, or a part of one, is always true
	AlwaysFalse Operator = "false"    // or always false
	Boundary    Operator = "boundary" // < becomes <=, and the like
	OffByOne    Operator = "off-by-1" // a constant is one less; 0 becomes 1
	Arithmetic  Operator = "plus"     // + becomes -, - becomes +
	Statement   Operator = "drop"     // an assignment, a call, a return, a break or a continue is left out
	Field       Operator = "field"    // a field of a composite literal is left out
	Encoding    Operator = "encode"   // an Append… call appends nothing
	Swap        Operator = "swap"     // two arguments of one type change places
	Source      Operator = "source"   // another field or parameter of the same type is read
)

// Operators lists the operators in the order of tables.
var Operators = []Operator{
	AlwaysTrue, AlwaysFalse, Boundary, OffByOne, Arithmetic, Statement, Field, Encoding, Swap, Source,
}

// Key names a mutant. It stays the same while other functions, and other lines of this one, change.
func (m Mutant) Key() string {
	key := fmt.Sprintf("%s.%s %s `%s`", strings.TrimPrefix(m.Package, "protocol/"), m.Function, m.Operator, m.Text)
	if m.Nth > 1 {
		key += fmt.Sprintf(" #%d", m.Nth)
	}
	return key
}
