package custody

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// Site is a custodian, or the grid: the node that stands for all hosts.
type Site struct {
	Grid bool
	Core custody.State // of a custodian
}

// id returns the identity of a node for the model: its first incarnation, no matter which one runs.
// So messages reach any incarnation.
func id(a protocol.Address) protocol.NodeID { return protocol.NodeID{Address: a, Incarnation: 1} }

// Identity returns the identity of a site for models and simulations.
func Identity(s Site) protocol.NodeID { return id(s.Core.Self.Address) }

// AppendState implements [protocol.Core].
func (a *Agent) AppendState(dst []byte, s Site) []byte {
	if dst = protocol.AppendBool(dst, s.Grid); s.Grid {
		return protocol.AppendUint(dst, uint64(s.Core.Self.Address))
	}
	return custody.AppendState(dst, s.Core)
}

// DecodeState implements [protocol.Core].
func (a *Agent) DecodeState(src []byte) (Site, error) {
	r := protocol.NewReader(src)
	if r.Bool() {
		return NewGrid(protocol.Address(r.Uint(1<<32 - 1))), r.Close()
	}
	if !r.OK() {
		return Site{}, r.Close()
	}
	core, err := custody.DecodeState(r.Bytes(r.Left()))
	return Site{Core: core}, err
}

// StateText implements [protocol.Core].
func (a *Agent) StateText(s Site) string {
	if s.Grid {
		return Identity(s).String() + " is the grid"
	}
	return custody.StateText(s.Core)
}

// keep returns what a site persists: its incarnation, then what the core persists.
func keep(life uint16, disk []byte) []byte {
	return append(protocol.AppendUint(nil, uint64(life)), disk...)
}

// kept returns the incarnation and the bytes of the core.
func kept(persisted []byte) (life uint16, disk []byte) {
	r := protocol.NewReader(persisted)
	life = uint16(r.Uint(1<<16 - 1))
	return life, r.Bytes(r.Left())
}

// diskOf returns what the core at a site has persisted. A core that has persisted nothing has an
// empty disk.
func diskOf(persisted []byte) custody.Disk {
	_, disk := kept(persisted)
	d, err := custody.DecodeDisk(disk)
	if err != nil {
		return custody.Disk{}
	}
	return d
}
