package dtm

import "github.com/canvass-grid/canvass/protocol"

// Message is one of the message types of this package. Messages are values; their slices are never
// changed.
type Message interface{ isMessage() }

// Look asks a host for its view.
type Look struct{}

// Report is a host's view. Version counts the changes of its label and its children.
type Report struct {
	Version uint32
	View    View
}

// Attach asks a host to become the anchor of the sender, whose segment ends at At. Version is that
// of the view by which the sender decided.
type Attach struct {
	Version    uint32
	At, Length int64
}

// Refuse answers an Attach with that version: the host has changed, or leaves.
type Refuse struct{ Version uint32 }

// Position describes an anchor to a child: the label and all children, including the receiver. The
// first one answers an Attach.
type Position struct {
	Version  uint32
	Label    Label
	Children []Child // sorted by host
}

// PositionOK acknowledges a Position.
type PositionOK struct{ Version uint32 }

// Leaving asks a neighbour in the tree to let the sender leave.
type Leaving struct{ Round uint32 }

// Consent lets a host leave. The sender neither leaves nor lets another host leave until it learns
// how this round ends. Resent, it asks for that.
type Consent struct{ Round uint32 }

// Object does not let a host leave now.
type Object struct{ Round uint32 }

// Release ends a round, or answers a Consent of a round that has ended: the sender does not leave.
type Release struct{ Round uint32 }

// Left ends a round: the sender is out of the tree. Its children find their new segments by the
// rule of Leave. The anchor is sent it only by a host without children.
type Left struct{ Round uint32 }

// LeftOK acknowledges a Left.
type LeftOK struct{ Round uint32 }

// Claim reports to an anchor that the sender has taken the place of a former child.
type Claim struct {
	Former     protocol.NodeID
	At, Length int64
}

// Aggregate lists the hosts nearest the receiver among those on the sender's side of the tree,
// nearest first. It replaces the former list.
type Aggregate struct {
	Version uint32
	Labels  []Label
}

// AggregateOK acknowledges an Aggregate.
type AggregateOK struct{ Version uint32 }

// Beat is the sign of life of a host that has nothing to resend.
type Beat struct{}

func (Look) isMessage()        {}
func (Report) isMessage()      {}
func (Attach) isMessage()      {}
func (Refuse) isMessage()      {}
func (Position) isMessage()    {}
func (PositionOK) isMessage()  {}
func (Leaving) isMessage()     {}
func (Consent) isMessage()     {}
func (Object) isMessage()      {}
func (Release) isMessage()     {}
func (Left) isMessage()        {}
func (LeftOK) isMessage()      {}
func (Claim) isMessage()       {}
func (Aggregate) isMessage()   {}
func (AggregateOK) isMessage() {}
func (Beat) isMessage()        {}
