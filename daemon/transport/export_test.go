package transport

import (
	"bytes"
	"crypto/sha256"
	"io"
	"net"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// The decoders, for fuzzers, and the encoders that a misbehaving member needs.

const (
	HeadBytes = headBytes
	MaxOutbox = maxOutbox
	MaxInbox  = maxInbox
)

// Recode decodes one of the wire formats and encodes what it got. It returns nil on an error.
func Recode(format string, src []byte) []byte {
	switch format {
	case "hello":
		if g, err := parseGreeting(src, 1); err == nil {
			return g.append(nil)
		}
	case "frame":
		r := bytes.NewReader(src)
		if f, err := readFrame(r); err == nil {
			rest, _ := io.ReadAll(r)
			return append(f.append(nil), rest...)
		}
	case "cards":
		if cards, err := parseCards(src); err == nil {
			return appendCards(nil, cards)
		}
	case "refusal":
		if r, err := parseRefusal(src); err == nil {
			return r.append(nil)
		}
	case "join":
		if j, err := parseJoin(src); err == nil {
			return j.append(nil)
		}
	case "admission":
		if a, cards, err := parseAdmission(src); err == nil {
			return a.append(nil, cards)
		}
	case "renewal":
		if certificate, err := parseRenewal(src); err == nil {
			return appendString(nil, string(certificate))
		}
	}
	return nil
}

// Samples are encodings of each format, as seeds for fuzzers.
func Samples() map[string][]byte {
	g := greeting{
		Hello:   Hello{Wire: 1, Config: sha256.Sum256(nil), Incarnation: 2, Nonce: 3, Build: "b", Endpoint: "e:1"},
		Address: 4, Channel: ChannelBulk, Dial: 5, Seen: 6, Reading: 7, Grid: "abcdefghijklmnopqrst",
	}
	f := frame{Type: frameData, Kind: 1, To: 2, Sequence: 3, Ack: 4, Echo: -5, Reading: 6, Payload: []byte("p")}
	cards := []Card{
		{Address: 1, Incarnation: 2, Endpoint: "e:1", Proof: Proof{7, "certificate", "signature"}},
		{Address: 2, Endpoint: "e:2"},
	}
	hints := []Card{{Address: 1, Incarnation: 2, Endpoint: "e:1"}, {Address: 2, Endpoint: "e:2"}}
	r := Refusal{Reason: ReasonFormerLife, Detail: "d", Other: cards[0]}
	j := JoinRequest{Request: []byte("r")}
	a := Admission{Certificate: []byte("c"), Config: []byte("g")}
	return map[string][]byte{
		"hello": g.append(nil), "frame": f.append(nil), "cards": appendCards(nil, cards), "refusal": r.append(nil),
		"join": j.append(nil), "admission": a.append(nil, hints),
		"renewal": appendString(nil, "certificate"),
	}
}

// Greet sends a hello as a member would, after a change of its encoding, and receives the answer.
func Greet(conn io.ReadWriter, id *identity.Identity, h Hello, change func([]byte) []byte) error {
	card, err := SignCard(id, &h)
	if err != nil {
		return err
	}
	g := greeting{Hello: h, Grid: id.Grid, Address: id.Address, Dial: 1, Signature: card.Proof.signature}
	if err := writePreface(conn, prefaceHello, change(g.append(nil))); err != nil {
		return err
	}
	_, err = readPreface(conn, prefaceHello, maxHello)
	return err
}

// Sign makes the card of an incarnation.
func Sign(id *identity.Identity, h Hello) Card {
	card, err := SignCard(id, &h)
	if err != nil {
		panic(err)
	}
	return card
}

// Turn encodes a refusal as another node sends it.
func (r Refusal) Turn(other Card) []byte {
	r.Other = other
	return r.append(nil)
}

// Refuse sends a refusal in place of a hello, with a card.
func Refuse(conn io.ReadWriter, r Refusal, other Card) error {
	if _, err := readPreface(conn, prefaceHello, maxHello); err != nil {
		return err
	}
	return writePreface(conn, prefaceRefusal, r.Turn(other))
}

// CardsFrame encodes a frame of cards.
func CardsFrame(to protocol.NodeID, cards ...Card) []byte {
	f := frame{Type: frameCards, To: to.Incarnation, Payload: appendCards(nil, cards)}
	return f.append(nil)
}

// Data encodes a frame of data.
func Data(to protocol.NodeID, sequence, ack uint64, payload []byte) []byte {
	f := frame{Type: frameData, To: to.Incarnation, Sequence: sequence, Ack: ack, Payload: payload}
	return f.append(nil)
}

// Receive reads one frame: whether it is a message, and the cards in it.
func Receive(conn io.Reader) (message bool, cards []Card, err error) {
	f, err := readFrame(conn)
	if err == nil && f.Type == frameCards {
		cards, err = parseCards(f.Payload)
	}
	return f.Type == frameData, cards, err
}

// Guard limits a connection as one of a stranger.
func Guard(raw net.Conn, turns chan struct{}) *Guarded {
	return &guarded{Conn: raw, left: unauthenticatedBytes, slots: turns}
}

// Guarded is such a connection.
type Guarded = guarded

// Done ends its turns.
func (g *guarded) Done() { g.done() }
