package abstract_test

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/model/abstract"
	"github.com/canvass-grid/canvass/protocol"
)

// B promises to the round of A only if A knows its present zone.
func ExampleExplainCAN() {
	a := protocol.NodeID{Address: 0, Incarnation: 1}
	b := protocol.NodeID{Address: 1, Incarnation: 1}
	propose := abstract.CANMessage{
		Kind: abstract.CANPropose, Round: 1, Change: abstract.CANMerge, Subject: a, Version: 3,
	}
	s := abstract.CANStep{
		Before: abstract.CANNode{ID: b, Life: abstract.CANMember, Version: 3}, From: a, Got: &propose,
		Announced: []string{"promise"},
	}
	s.After = s.Before
	s.After.Promise = abstract.CANPromise{Proposer: a, Round: 1, Change: abstract.CANMerge, Subject: a}
	fmt.Println(abstract.ExplainCAN(&s))

	s.Before.Version, s.After.Version = 4, 4
	_, err := abstract.ExplainCAN(&s)
	reason, _, _ := strings.Cut(err.Error(), ";")
	fmt.Println(reason)
	// Output:
	// [Promise] <nil>
	// no step Promise: the proposer has not seen its present zone
}
