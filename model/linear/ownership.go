package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// OwnershipKind is a kind of operation on the ownership of a point.
type OwnershipKind uint8

// The operations on the ownership of points.
const (
	Find    OwnershipKind = iota // look up the owner
	Acquire                      // not by a client: the node now owns the point
	Release                      // not by a client: it no longer does, or it crashed
)

// OwnershipInput is an operation on the ownership of a point.
type OwnershipInput struct {
	Kind  OwnershipKind
	Point string
	Node  string // of Acquire and Release
}

// OwnershipOutput answers a Find.
type OwnershipOutput struct{ Node string }

// Ownership is the specification of owners. A point has at most one owner at any time, and a lookup
// finds a node that owned it at some time during the lookup. Between its old and its new owner, the
// point may have no owner.
func Ownership() Spec {
	return Spec{"ownership", porcupine.Model{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			return parts(history, func(input any) (string, bool) { return input.(OwnershipInput).Point, true })
		},
		Init:              func() any { return "" },
		Step:              func(state, in, out any) (bool, any) { return owner(state.(string), in.(OwnershipInput), out) },
		DescribeOperation: describeOwnership,
		DescribeState:     func(state any) string { return fmt.Sprintf("%q", state) },
	}, fitsOwnership}
}

// fitsOwnership reports why ownership of a point does not have an operation.
func fitsOwnership(o Operation) error {
	if in, ok := o.Input.(OwnershipInput); ok && (in.Kind == Acquire || in.Kind == Release) {
		return nil // it is not by a client, so its answer does not matter
	}
	in, _, _, err := typed[OwnershipInput, OwnershipOutput](o)
	if err == nil && in.Kind > Release {
		err = fmt.Errorf("OwnershipInput.Kind is %d; it must be Find, Acquire or Release", in.Kind)
	}
	return err
}

func owner(present string, in OwnershipInput, answer any) (bool, any) {
	switch in.Kind {
	case Acquire:
		return present == "", in.Node
	case Release:
		return present == in.Node, ""
	}
	out, seen := answer.(OwnershipOutput)
	return !seen || out.Node == present, present
}

func describeOwnership(input, answer any) string {
	in := input.(OwnershipInput)
	switch in.Kind {
	case Acquire:
		return fmt.Sprintf("%s gets %s", in.Node, in.Point)
	case Release:
		return fmt.Sprintf("%s gives %s up", in.Node, in.Point)
	}
	if out, seen := answer.(OwnershipOutput); seen {
		return fmt.Sprintf("find %s: %s", in.Point, out.Node)
	}
	return "find " + in.Point + unanswered
}
