package config

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Grid is the configuration that all daemons of a grid share.
type Grid struct {
	Wire           uint32 `json:"wire"`
	ClusterSize    int    `json:"cluster_size"`    // the most members of a cluster
	Memberships    int    `json:"memberships"`     // the most clusters of a node
	DiameterMicros uint32 `json:"diameter_micros"` // the largest latency within a cluster
	Quick          bool   `json:"quick"`           // short retries, for grids of one machine

	// Witnesses are the nodes that give leases: 1, 3 or 5 of them, sorted. They never change.
	Witnesses []protocol.Address `json:"witnesses"`
}

// Wire is the version of the messages between daemons.
const Wire = 4

// ClusterSize is the most members that a cluster has, unless a grid is made with another number.
const ClusterSize = 64

// DefaultGrid is for daemons on one machine or one network. Its witnesses are that many nodes, from
// the first one on.
func DefaultGrid(first protocol.Address, witnesses int) Grid {
	g := Grid{Wire: Wire, ClusterSize: ClusterSize, Memberships: 64, DiameterMicros: 50_000, Quick: true}
	for i := range witnesses {
		g.Witnesses = append(g.Witnesses, first+protocol.Address(i))
	}
	return g
}

// The sizes of the dimensions of the map: processors, memory in GiB, and the virtual one.
const (
	cpuSize     = 4096
	memorySize  = 1 << 20
	VirtualSize = 1 << 20
)

// Peer returns the configuration of the cores.
func (g Grid) Peer() (peer.Config, error) {
	s, err := space.New(1, cpuSize, memorySize, VirtualSize)
	if err != nil {
		return peer.Config{}, err
	}
	c := peer.DefaultConfig(s, g.Memberships, g.ClusterSize, g.DiameterMicros)
	c.Apart = true
	c.Tasks.LeaseTicks, c.Tasks.RegrantTicks = 400, 1800
	if g.Quick {
		c.Can.RetryMinTicks, c.Can.RetryMaxTicks = 5, 50
		c.Refine.CollectTicks, c.Refine.WaitTicks, c.Refine.RetryTicks = 50, 20, 100
	}
	return c, c.Validate()
}

// Muster returns the configuration of the musters.
func (g Grid) Muster() muster.Config {
	c := muster.DefaultConfig()
	if g.Quick {
		c.ResendTicks = 30
	}
	return c
}

// Lease returns the configuration of the leases.
func (g Grid) Lease() lease.Config { return lease.DefaultConfig(g.Witnesses...) }

// Custody returns the configuration of the records of jobs.
func (g Grid) Custody() custody.Config {
	c := custody.DefaultConfig()
	if g.Quick {
		c.ResendTicks = 30
	}
	return c
}

// Hash identifies the configuration: two daemons compare it in their handshake.
func (g Grid) Hash() [sha256.Size]byte {
	text, err := json.Marshal(g)
	if err != nil {
		panic(err) // a struct of numbers
	}
	return sha256.Sum256(text)
}

// ParseGrid reads the configuration that a joining node receives from the authority of its grid.
func ParseGrid(text []byte) (Grid, error) {
	var g Grid
	if err := json.Unmarshal(text, &g); err != nil {
		return g, fmt.Errorf("%w: the configuration of the grid: %w", ErrConfig, err)
	}
	if err := g.validate(); err != nil {
		return g, fmt.Errorf("%w: the configuration of the grid: %w", ErrConfig, err)
	}
	return g, nil
}

// validate reports what is wrong with the configuration of a grid.
func (g Grid) validate() error {
	if g.Wire != Wire {
		return fmt.Errorf("the grid uses wire version %d, this build %d", g.Wire, Wire)
	}
	if _, err := g.Peer(); err != nil {
		return err
	}
	leases := g.Lease()
	return leases.Validate()
}
