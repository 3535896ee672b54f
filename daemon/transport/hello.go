package transport

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// magic begins every message that is sent before frames. Read as the length of a frame it is out of
// range, so a refusal that comes late is recognised.
const magic = "CNVS"

// The kinds of prefaces.
const (
	prefaceHello = iota + 1
	prefaceRefusal
	prefaceJoin
	prefaceAdmission
	prefaceRenewal
)

const (
	prefaceBytes = len(magic) + 1 + 4 // magic, kind, length
	maxHello     = 1024
	maxBuild     = 64
	maxEndpoint  = 255
)

// greeting is a hello on the wire.
type greeting struct {
	Hello
	Grid    identity.Grid
	Address protocol.Address
	Channel Channel
	Dial    uint64        // number of the connection, counting the dials of this node to this peer
	Seen    uint64        // largest such number of the peer that the node accepted
	Reading time.Duration // of the sender's clock

	Signature string // of the node on its card
}

// card is the card that the hello is about, and that the node of a certificate has signed.
func (g *greeting) card(certificate []byte) Card {
	return Card{g.Address, g.Incarnation, g.Endpoint, Proof{g.Nonce, string(certificate), g.Signature}}
}

// append encodes the greeting. The wire version is first: the rest may depend on it.
func (g *greeting) append(dst []byte) []byte {
	dst = protocol.AppendUint(dst, uint64(g.Wire))
	dst = append(dst, g.Grid...)
	dst = append(dst, g.Config[:]...)
	dst = protocol.AppendNodeID(dst, protocol.NodeID{Address: g.Address, Incarnation: g.Incarnation})
	dst = protocol.AppendUint(dst, g.Nonce)
	dst = protocol.AppendUint(dst, uint64(g.Channel))
	dst = protocol.AppendUint(dst, g.Dial)
	dst = protocol.AppendUint(dst, g.Seen)
	dst = protocol.AppendInt(dst, int64(g.Reading))
	return appendString(appendString(appendString(dst, g.Build), g.Endpoint), g.Signature)
}

// parseGreeting decodes a greeting of the given wire version. One of another version is refused
// before the rest is read.
func parseGreeting(src []byte, wire uint16) (greeting, error) {
	r := protocol.NewReader(src)
	var g greeting
	if g.Wire = uint16(r.Uint(1<<16 - 1)); r.OK() && g.Wire != wire {
		return g, &Refusal{Reason: ReasonWire, Detail: fmt.Sprintf("wire version %d meets %d; "+
			"run the same release on all nodes", g.Wire, wire)}
	}
	g.Grid = identity.Grid(r.Bytes(identity.Digits))
	copy(g.Config[:], r.Bytes(len(g.Config)))
	id := r.NodeID()
	g.Address, g.Incarnation = id.Address, id.Incarnation
	g.Nonce = r.Uint(1<<64 - 1)
	g.Channel = Channel(r.Uint(255))
	g.Dial, g.Seen = r.Uint(1<<64-1), r.Uint(1<<64-1)
	g.Reading = time.Duration(r.Int(1<<63 - 1))
	g.Build, g.Endpoint = readString(r, maxBuild), readString(r, maxEndpoint)
	g.Signature = readString(r, maxSignature)
	if err := r.Close(); err != nil {
		return g, &Refusal{Reason: ReasonMalformed, Detail: "the hello does not decode"}
	}
	return g, nil
}

// check compares the greeting of a peer with the own one. The address is that of its certificate.
func (g *greeting) check(own *greeting, certified protocol.Address) *Refusal {
	refuse := func(reason Reason, form string, args ...any) *Refusal {
		return &Refusal{Reason: reason, Peer: certified, Detail: fmt.Sprintf(form, args...)}
	}
	switch {
	case g.Grid != own.Grid:
		return refuse(ReasonGrid, "grid %s meets grid %s", g.Grid, own.Grid)
	case g.Config != own.Config:
		return refuse(ReasonConfig, "configuration %x meets %x; all nodes need the configuration of the grid",
			g.Config[:4], own.Config[:4])
	case g.Address != certified:
		return refuse(ReasonAddress, "address %d in the hello, %d in the certificate", g.Address, certified)
	case g.Address == own.Address:
		return refuse(ReasonSelf, "two nodes have address %d; join one of them again", own.Address)
	case g.Channel >= channels:
		return refuse(ReasonChannel, "channel %d is unknown", g.Channel)
	case g.Incarnation == 0 || g.Endpoint == "":
		return refuse(ReasonMalformed, "the hello lacks an incarnation or an endpoint")
	}
	return nil
}

// writePreface sends one preface.
func writePreface(w io.Writer, kind uint8, body []byte) error {
	b := append(make([]byte, 0, prefaceBytes+len(body)), magic...)
	b = binary.BigEndian.AppendUint32(append(b, kind), uint32(len(body)))
	_, err := w.Write(append(b, body...))
	return err
}

// readPreface receives one preface of the kind with at most limit bytes. A refusal in its place is
// the error.
func readPreface(r io.Reader, kind uint8, limit int) ([]byte, error) {
	head := make([]byte, prefaceBytes)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	return readBody(r, head, kind, limit)
}

// readBody reads the rest of a preface after its head.
func readBody(r io.Reader, head []byte, kind uint8, limit int) ([]byte, error) {
	got, length := head[len(magic)], binary.BigEndian.Uint32(head[len(magic)+1:])
	if got == prefaceRefusal {
		limit = maxRefusal
	}
	if string(head[:len(magic)]) != magic || got != kind && got != prefaceRefusal || length > uint32(limit) {
		return nil, &Refusal{Reason: ReasonMalformed, Detail: "the received bytes are not of this protocol"}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	if got != prefaceRefusal {
		return body, nil
	}
	refusal, err := parseRefusal(body)
	if err != nil {
		return nil, err
	}
	return nil, refusal
}
