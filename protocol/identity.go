package protocol

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
)

// Address identifies a network endpoint where a process can run. Addresses survive crashes.
type Address uint32

// NodeID is one incarnation of a process at an address. The zero NodeID is no node: the incarnation
// of a running process is at least 1, and a process that was never started has incarnation 0.
type NodeID struct {
	Address     Address
	Incarnation uint16
}

// IsNobody reports whether the identity is the zero one.
func (id NodeID) IsNobody() bool { return id == NodeID{} }

// Compare orders identities by address, then by incarnation.
func (id NodeID) Compare(other NodeID) int {
	if c := cmp.Compare(id.Address, other.Address); c != 0 {
		return c
	}
	return cmp.Compare(id.Incarnation, other.Incarnation)
}

// String writes an address from 0 to 25 as a letter, as the papers name their nodes, and any other
// as "n" and its number; a second or later incarnation is marked with its incarnation: A, C.2, n31.
func (id NodeID) String() string {
	if id.IsNobody() {
		return "-"
	}
	name := "n" + strconv.Itoa(int(id.Address))
	if id.Address < 26 {
		name = string(rune('A' + id.Address))
	}
	if id.Incarnation == 1 {
		return name
	}
	return name + "." + strconv.Itoa(int(id.Incarnation))
}

// MarshalText writes an identity as String does, for JSON and logs.
func (id NodeID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText accepts the output of String, and nothing else.
func (id *NodeID) UnmarshalText(text []byte) error {
	parsed, err := ParseNodeID(string(text))
	if err == nil {
		*id = parsed
	}
	return err
}

// ParseNodeID parses the output of String: A, C.2, n31, or - for the zero NodeID.
func ParseNodeID(text string) (id NodeID, err error) {
	if text == (NodeID{}).String() {
		return NodeID{}, nil
	}
	name, life, later := strings.Cut(text, ".")
	id.Incarnation = 1
	if later {
		number, failed := strconv.ParseUint(life, 10, 16)
		id.Incarnation, err = uint16(number), failed
	}
	if len(name) == 1 {
		id.Address = Address(name[0] - 'A')
	} else if digits, is := strings.CutPrefix(name, "n"); is && err == nil {
		number, failed := strconv.ParseUint(digits, 10, 32)
		id.Address, err = Address(number), failed
	}
	if err != nil || id.String() != text {
		return NodeID{}, errors.New("node " + strconv.Quote(text) + ": want a name such as A, C.2 or n31")
	}
	return id, nil
}
