package transport

import (
	"context"
	"crypto/ecdsa"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
)

// JoinRequest is what a node that joins asks for.
type JoinRequest struct {
	Proof    identity.Proof
	Exporter []byte // keying material of the connection, which the proof signs
	Request  []byte // for a certificate, in DER
	Remote   string // endpoint from which it came, for logs
}

// Admission is what a node that joins receives. Cards are added by the transport.
type Admission struct {
	Certificate []byte   // of the node, in DER
	Roots       [][]byte // of the authorities of the grid, in DER
	Config      []byte   // of the grid, as the application encodes it; at most 64 KiB
}

// Joined is what [Join] brings.
type Joined struct {
	Identity *identity.Identity
	Config   []byte
	Cards    []Card
}

// JoinConfig says with what a node joins.
type JoinConfig struct {
	Endpoint string            // of a node that admits others
	Token    identity.Token    // of the grid
	Key      *ecdsa.PrivateKey // of the node, from [identity.NewKey]
	Wall     func() time.Time  // for certificates; nil means time.Now
	Network  Network           // nil means TCP
}

// Join asks a node of a grid for a certificate. It proves that it has the token, and the other side
// proves that it is a node of the token's grid.
func Join(ctx context.Context, c JoinConfig) (*Joined, error) { return nil, nil }
