package transport

import (
	"context"
	"crypto/ecdsa"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/daemon/door"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// The limits of a join.
const (
	MaxGridConfig  = 64 << 10 // bytes
	maxRequest     = 1 << 10
	maxJoin        = 2 << 10
	maxCertificate = 4 << 10
	maxAdmission   = 2 << 20
	joinTries      = 5 // until a connection has lasted for a handshake
	joinPause      = 200 * time.Millisecond
)

// JoinRequest is the request of a joining node.
type JoinRequest struct {
	Proof    identity.Proof
	Exporter []byte // keying material of the connection, which the proof signs
	Request  []byte // for a certificate, in DER
	Remote   string // endpoint from which it came, for logs
}

// Admission is the answer to a joining node. Cards are added by the transport.
type Admission struct {
	Certificate []byte // of the node, in DER, from the authority of the desk
	Config      []byte // of the grid, as the application encodes it; at most MaxGridConfig bytes
}

// Joined is what [Join] brings.
type Joined struct {
	Identity *identity.Identity
	Config   []byte
	Cards    []Card
}

// JoinConfig has the parameters of a joining node.
type JoinConfig struct {
	Endpoint string            // of a node that admits others
	Token    identity.Token    // of the grid
	Key      *ecdsa.PrivateKey // of the node, from [identity.NewKey]
	Wall     func() time.Time  // for certificates; nil means time.Now
	Network  Network           // nil means TCP
}

// Join asks the authority of a grid for a certificate. It proves that it has the token, and the
// other side proves that it has the key of the authority that the token names. The error wraps a
// [Refusal] if it was refused.
func Join(ctx context.Context, c JoinConfig) (*Joined, error) {
	c.Wall, c.Network = completed(c.Wall, c.Network)
	ctx, cancel := context.WithTimeout(ctx, handshakeLimit)
	defer cancel()
	joined, err := exchange(ctx, c.Network, c.Endpoint, c.join)
	for range joinTries - 1 { // a node that has many strangers at its door may close it to some
		if _, is := errors.AsType[*unmetError](err); !is || ctx.Err() != nil {
			break
		}
		time.Sleep(joinPause)
		joined, err = exchange(ctx, c.Network, c.Endpoint, c.join)
	}
	if err != nil {
		if refusal, ok := refusalOf(err); ok {
			err = refusal
		} else if op, is := errors.AsType[*net.OpError](err); !is || op.Op != "dial" {
			err = fmt.Errorf("%w: %w; look at the address: it should be that of the daemon of canvass node init",
				ErrNoDaemon, err)
		}
		return nil, fmt.Errorf("join at %s: %w", c.Endpoint, err)
	}
	return joined, nil
}

// ErrNoDaemon says that no daemon answers at an endpoint: another program does, or a daemon that
// hangs.
var ErrNoDaemon = errors.New("the other side does not answer as a daemon does")

// unmetError says that a connection ended before the two sides knew each other.
type unmetError struct{ error }

func (e *unmetError) Unwrap() error { return e.error }

// exchange connects to a node, asks it for one thing, and ends the connection.
func exchange[T any](
	ctx context.Context, network Network, endpoint string, ask func(context.Context, net.Conn) (*T, error),
) (*T, error) {
	raw, err := network.Dial(ctx, endpoint)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	stop := closeAtEnd(ctx, raw)
	defer stop()
	return ask(ctx, raw)
}

// completed are a clock and a network, or those of real nodes in place of nil.
func completed(wall func() time.Time, network Network) (func() time.Time, Network) {
	if wall == nil {
		wall = time.Now
	}
	if network == nil {
		network = TCP{}
	}
	return wall, network
}

func (c *JoinConfig) join(ctx context.Context, raw net.Conn) (*Joined, error) {
	secure := tls.Client(raw, c.Token.ClientConfig(c.Wall))
	if err := secure.HandshakeContext(ctx); errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
		return nil, &unmetError{err}
	} else if err != nil {
		return nil, err
	}
	exporter, err := identity.Exporter(secure.ConnectionState())
	if err != nil {
		return nil, err
	}
	request, err := identity.Request(c.Key)
	if err != nil {
		return nil, err
	}
	ask := JoinRequest{Proof: c.Token.Prove(exporter), Request: request}
	if err := writePreface(secure, prefaceJoin, ask.append(nil)); err != nil {
		return nil, err
	}
	body, err := readPreface(secure, prefaceAdmission, maxAdmission)
	if err != nil {
		return nil, err
	}
	a, cards, err := parseAdmission(body)
	if err != nil {
		return nil, err
	}
	id, err := c.Token.Joined(c.Key, secure.ConnectionState(), a.Certificate)
	if err != nil {
		return nil, err
	}
	if id.Grid != c.Token.Grid {
		return nil, fmt.Errorf("%w: of grid %s, the token is of grid %s", identity.ErrCertificate, id.Grid,
			c.Token.Grid)
	}
	return &Joined{id, a.Config, cards}, nil
}

// admit answers a node that wants to join.
func (t *Transport) admit(secure *tls.Conn, raw net.Conn, visit *door.Visit) {
	t.finish(secure, raw, 0, t.admission(secure, raw.RemoteAddr().String(), visit))
}

// finish ends a connection whose question was answered, or refuses it with the error. A peer that
// has no address yet counts as 0.
func (t *Transport) finish(secure *tls.Conn, raw net.Conn, peer protocol.Address, err error) {
	if err == nil {
		_ = secure.CloseWrite()
		_ = raw.SetReadDeadline(time.Now().Add(time.Second))
		drain(secure)
		return
	}
	if refusal, ok := refusalOf(refuse(secure, err)); ok {
		refusal.Peer = peer
		t.refused(nil, refusal)
	}
}

func (t *Transport) admission(secure *tls.Conn, remote string, visit *door.Visit) error {
	if t.config.Admit == nil {
		return &Refusal{Reason: ReasonToken, Detail: "this node does not admit new nodes"}
	}
	exporter, err := identity.Exporter(secure.ConnectionState())
	if err != nil {
		return err
	}
	body, err := readPreface(secure, prefaceJoin, maxJoin)
	if err != nil {
		return err
	}
	ask, err := parseJoin(body)
	if err != nil {
		return &Refusal{Reason: ReasonMalformed, Detail: err.Error()}
	}
	ask.Exporter, ask.Remote = exporter, remote
	visit.Reach(door.Asked)
	defer visit.Reach(door.Spoken)
	a, err := t.config.Admit(ask)
	if err != nil {
		return &Refusal{Reason: ReasonToken, Detail: err.Error()}
	}
	cards := t.book.Cards()
	return writePreface(secure, prefaceAdmission, a.append(nil, cards))
}

// append encodes what a joining node sends.
func (j *JoinRequest) append(dst []byte) []byte {
	dst = append(append(dst, j.Proof.Public[:]...), j.Proof.Signature[:]...)
	return appendString(dst, string(j.Request))
}

func parseJoin(src []byte) (JoinRequest, error) {
	r := protocol.NewReader(src)
	var j JoinRequest
	copy(j.Proof.Public[:], r.Bytes(len(j.Proof.Public)))
	copy(j.Proof.Signature[:], r.Bytes(len(j.Proof.Signature)))
	j.Request = []byte(readString(r, maxRequest))
	if err := r.Close(); err != nil {
		return j, fmt.Errorf("read a request to join: %w", err)
	}
	return j, nil
}

// append encodes what a joining node receives.
func (a *Admission) append(dst []byte, cards []Card) []byte {
	dst = appendString(dst, string(a.Certificate))
	return appendHints(appendString(dst, string(a.Config)), cards)
}

func parseAdmission(src []byte) (Admission, []Card, error) {
	r := protocol.NewReader(src)
	a := Admission{Certificate: []byte(readString(r, maxCertificate))}
	a.Config = []byte(readString(r, MaxGridConfig))
	cards := readHints(r)
	if err := r.Close(); err != nil {
		return a, nil, fmt.Errorf("read an admission: %w", err)
	}
	return a, cards, nil
}
