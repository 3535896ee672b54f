package scheduler

import (
	"fmt"
	"math"
)

// Machines has facts about single nodes. Nodes are numbered through the clusters.
type Machines struct {
	Dimensions []Dimension
	Lives      []Life // by node; nil if all nodes are present all the time

	capabilities []int32 // by node and dimension
}

// Life is the time in which a node is present.
type Life struct{ FromMicros, UntilMicros int64 }

// Always is the life of a node that stays.
func Always() Life { return Life{0, math.MaxInt64} }

// NewMachines returns a table without nodes.
func NewMachines(dimensions ...Dimension) *Machines { return &Machines{Dimensions: dimensions} }

// Add adds the next node: a quantity or the index of a category in each dimension.
func (m *Machines) Add(capability ...int32) error {
	if len(capability) != len(m.Dimensions) {
		return fmt.Errorf("node %d has %d values for %d dimensions; give it one each",
			m.count(), len(capability), len(m.Dimensions))
	}
	for k, x := range capability {
		d := &m.Dimensions[k]
		if x < 0 || d.Categories != nil && int(x) >= len(d.Categories) {
			return fmt.Errorf("node %d has %d of %q; use 0 or more, of a category its index among %d",
				m.count(), x, d.Name, len(d.Categories))
		}
	}
	m.capabilities = append(m.capabilities, capability...)
	return nil
}

func (m *Machines) count() int { return len(m.capabilities) / max(1, len(m.Dimensions)) }

// Of returns the capability of a node, by dimension.
func (m *Machines) Of(node int) []int32 {
	k := len(m.Dimensions)
	return m.capabilities[node*k : (node+1)*k]
}

// CheckMachines validates the facts about single nodes.
func (p *Platform) CheckMachines() error {
	m := p.Machines
	if m == nil {
		return nil
	}
	if len(m.Dimensions) > 0 && m.count() != p.Nodes() {
		return fmt.Errorf("platform %q has %d nodes and capabilities of %d; add every node, in order",
			p.Name, p.Nodes(), m.count())
	}
	if m.Lives != nil && len(m.Lives) != p.Nodes() {
		return fmt.Errorf("platform %q has %d nodes and %d lives; give one a node", p.Name, p.Nodes(), len(m.Lives))
	}
	for i, l := range m.Lives {
		if l.FromMicros < 0 || l.UntilMicros <= l.FromMicros {
			return fmt.Errorf("node %d of platform %q is present from %d to %d µs; let it end after it begins",
				i, p.Name, l.FromMicros, l.UntilMicros)
		}
	}
	return nil
}
