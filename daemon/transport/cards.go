package transport

import "github.com/canvass-grid/canvass/protocol"

// MaxCards is how many contact cards a node keeps.
const MaxCards = protocol.MaxItems

// Card says where a node can be reached. Of two cards of an address the one with the larger
// incarnation counts. Incarnation 0 is a hint that any life replaces.
type Card struct {
	Address     protocol.Address
	Incarnation uint16
	Endpoint    string // host:port, at most 255 bytes
}
