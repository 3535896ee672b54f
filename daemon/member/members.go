package member

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// Members are the nodes of the grid, as far as they are known here.
type Members struct {
	*life.Runtime
	*config.Settings
	Commit func(...disk.Put) error

	cards     []transport.Card                   // that are on the disk
	lives     map[protocol.Address]uint16        // the latest known
	attested  map[protocol.Address]uint16        // the latest lives that had a lease, as witnesses say
	departed  map[protocol.Address]rpc.Departure // the latest lives that have left in order
	suspected map[protocol.NodeID]time.Duration  // when the witnesses were last asked about it
}

// NewMembers returns the membership of a node that has not met any other.
func NewMembers(r *life.Runtime, s *config.Settings) *Members {
	return &Members{
		Runtime: r, Settings: s, lives: map[protocol.Address]uint16{}, attested: map[protocol.Address]uint16{},
		suspected: map[protocol.NodeID]time.Duration{},
	}
}

// IsMember reports whether the node has a zone.
func (m *Members) IsMember() bool {
	s := m.Peer.State()
	return s.Can.Phase == can.Member
}

// Alive returns the nodes that are known, and not known to be dead.
func (m *Members) Alive() []protocol.NodeID { return slices.DeleteFunc(m.Known(), m.IsDead) }

// Known returns the latest lives of all other nodes that are known, sorted.
func (m *Members) Known() (ids []protocol.NodeID) {
	for _, card := range m.Links.Cards() {
		if card.Incarnation > 0 && card.Address != m.Self.Address {
			ids = append(ids, protocol.NodeID{Address: card.Address, Incarnation: card.Incarnation})
		}
	}
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return ids
}

// MachineOf is the host of a node's endpoint.
func (m *Members) MachineOf(id protocol.NodeID) string {
	for _, card := range m.Links.Cards() {
		if card.Address == id.Address {
			if host, _, err := net.SplitHostPort(card.Endpoint); err == nil {
				return host
			}
		}
	}
	return "-"
}

// Latest is the latest known life at the address of a node.
func (m *Members) Latest(id protocol.NodeID) protocol.NodeID {
	if id.Address == m.Self.Address {
		return m.Self
	}
	if life := m.lives[id.Address]; life > id.Incarnation {
		id.Incarnation = life
	}
	return id
}

// LastKnown is the latest life at an address that is known here, or that a witness has named.
func (m *Members) LastKnown(a protocol.Address) protocol.NodeID {
	return protocol.NodeID{Address: a, Incarnation: max(m.lives[a], m.attested[a])}
}

// Meet notes the latest life of a node.
func (m *Members) Meet(id protocol.NodeID) { m.lives[id.Address] = id.Incarnation }

// Witnessed is the latest life at an address that had a lease, as witnesses say.
func (m *Members) Witnessed(a protocol.Address) uint16 { return m.attested[a] }

// IsDead reports whether an incarnation has ended, by certificate or because a later one has begun.
func (m *Members) IsDead(id protocol.NodeID) bool {
	if id.IsNobody() || id == m.Self {
		return false
	}
	s := m.Lease.State()
	return s.IsDead(id) || m.Latest(id) != id
}

// Fate is how an incarnation has ended, or empty if it lives.
func (m *Members) Fate(id protocol.NodeID) string {
	switch s := m.Lease.State(); {
	case !m.IsDead(id):
		return ""
	case s.IsDead(id):
		return "was declared dead"
	}
	return "has restarted"
}

// Suspect asks the witnesses about a node that is or was in the grid. The question would end a node
// that has no lease yet.
func (m *Members) Suspect(id protocol.NodeID) {
	if id != m.Self && m.mayAsk(id) {
		m.Later(func() { m.Loop.Command(life.LeaseID, lease.Command{Kind: lease.CommandAsk, Node: id}) })
	}
}

// Inquire asks the witnesses for the latest incarnation at an address: this node would wait forever
// for an incarnation that was lost before it met it.
func (m *Members) Inquire(of protocol.Address) {
	if !m.mayAsk(protocol.NodeID{Address: of}) {
		return
	}
	for _, w := range m.Config.Grid.Witnesses {
		witness := protocol.NodeID{Address: w}
		rpc.Life.Ask(m.Calls, rpc.Daemon(witness).Within(askAgain), of, func(life uint16, err error) {
			if err == nil {
				m.attested[of] = max(m.attested[of], life)
			}
		})
	}
}

// mayAsk reports whether to ask the witnesses about a node now, and notes the time.
func (m *Members) mayAsk(id protocol.NodeID) bool {
	if last, asked := m.suspected[id]; asked && m.Clock()-last < askAgain {
		return false
	}
	if len(m.suspected) >= suspectLimit {
		clear(m.suspected)
	}
	m.suspected[id] = m.Clock()
	return true
}

// HasLeft returns the departure of an incarnation that has left in order.
func (m *Members) HasLeft(id protocol.NodeID) (d rpc.Departure, has bool) {
	d = m.departed[id.Address]
	return d, !id.IsNobody() && d.Life == id && !d.At.IsZero() && (!d.Told || m.IsDead(id))
}

// HasNothing reports whether an incarnation has left, and kept no job alone.
func (m *Members) HasNothing(id protocol.NodeID) bool {
	d, has := m.HasLeft(id)
	return has && !d.Sole
}

// IsListed reports whether a node is shown: it has not left long ago, or departed nodes are wanted,
// too.
func (m *Members) IsListed(id protocol.NodeID, former bool) bool {
	d, has := m.HasLeft(id)
	return !has || former || m.Since(d.At) <= leftShown
}

// OverText describes an ended incarnation for users: "is dead", or "has left the grid".
func (m *Members) OverText(id protocol.NodeID) string {
	if _, has := m.HasLeft(id); has {
		return "has left the grid"
	}
	return "is dead"
}

// Named is the node that a user means: this one if there is no name. A name without a number means
// the present life.
func (m *Members) Named(text string) (protocol.NodeID, error) {
	if text == "" {
		return m.Self, nil
	}
	want, err := ParseNode(text)
	if err != nil {
		return want, err
	}
	for _, id := range append(m.Known(), m.Self) {
		if id.Address != want.Address || want.Incarnation > 1 && id != want {
			continue
		}
		return id, nil
	}
	return want, noNode(text, "")
}

// ParseNode reads the name of a node.
func ParseNode(text string) (protocol.NodeID, error) {
	id, err := protocol.ParseNodeID(text)
	if err == nil && !id.IsNobody() {
		return id, nil
	}
	if near, err := protocol.ParseNodeID(strings.ToUpper(text)); err == nil && !near.IsNobody() {
		return id, noNode(text, fmt.Sprintf("did you mean %v? ", near))
	}
	return id, noNode(text, "names are as A, C.2 and n31; ")
}

// noNode is the error of a name that no node has.
func noNode(text, remedy string) error {
	return api.Errorf(jobs.ErrUnknown, "there is no node %s; %scanvass node status lists them", text, remedy)
}

// keepDeparted keeps which nodes have left, if that is news.
func (m *Members) keepDeparted(all rpc.Departures) {
	news := false
	for _, d := range all {
		known := m.departed[d.Life.Address]
		if d.Life.Incarnation > known.Life.Incarnation || d.Life == known.Life && known.Told && !d.Told {
			m.departed[d.Life.Address], news = d, true
		}
	}
	if !news {
		return
	}
	text, err := json.Marshal(m.departed)
	m.Keep(err)
	m.Keep(m.Commit(disk.Put{Bucket: disk.Meta, Key: departedKey, Value: text}))
}

// departedPatience is how long a daemon that is back waits for each of the witnesses.
const departedPatience = 10 * time.Minute

// AskDeparted asks the witnesses which nodes have left while this daemon was down.
func (m *Members) AskDeparted() {
	for _, w := range m.Config.Grid.Witnesses {
		if w == m.Self.Address {
			continue
		}
		witness := rpc.Daemon(protocol.NodeID{Address: w}).Within(departedPatience)
		rpc.Departed.Ask(m.Calls, witness, rpc.None{}, func(all rpc.Departures, err error) {
			if err != nil {
				return
			}
			for i := range all {
				all[i].Told = true
			}
			m.keepDeparted(all)
		})
	}
}

// AnswerDeparted lists the nodes that have left, the latest first.
func (m *Members) AnswerDeparted(protocol.NodeID, rpc.None) (rpc.Departures, error) {
	all := rpc.Departures(slices.SortedFunc(maps.Values(m.departed), func(a, b rpc.Departure) int {
		return cmp.Or(b.At.Compare(a.At), a.Life.Compare(b.Life))
	}))
	return all[:min(len(all), rpc.DeparturesLimit)], nil
}

// AnswerFarewell notes that a node has left in order.
func (m *Members) AnswerFarewell(from protocol.NodeID, f rpc.FarewellReport) (rpc.None, error) {
	m.Log.Info("a node has left the grid", "node", from.String())
	m.keepDeparted(rpc.Departures{{Life: from, At: m.Wall(), Sole: f.Sole}})
	return rpc.None{}, nil
}

// departedKey is where the store has which nodes have left.
var departedKey = []byte("departed")

// LoadDeparted reads which nodes have left.
func (m *Members) LoadDeparted() error {
	m.departed = map[protocol.Address]rpc.Departure{}
	text, err := m.Store.Get(disk.Meta, departedKey)
	if err != nil || text == nil {
		return err
	}
	if err := json.Unmarshal(text, &m.departed); err != nil {
		return m.Damaged(disk.Meta, departedKey, err)
	}
	return nil
}

// cardsKey is where the store has the contact cards that the node knows.
var cardsKey = []byte("cards")

// LoadCards reads the contact cards from earlier incarnations.
func (m *Members) LoadCards() error {
	text, err := m.Store.Get(disk.Meta, cardsKey)
	if err != nil {
		return err
	}
	if text != nil {
		if err := json.Unmarshal(text, &m.cards); err != nil {
			return m.Damaged(disk.Meta, cardsKey, err)
		}
	}
	return nil
}

// Contacts are the cards from earlier incarnations, and those of the configuration. Their
// incarnation numbers are obsolete.
func (m *Members) Contacts() (all []transport.Card) {
	for _, c := range m.cards {
		all = append(all, transport.Card{Address: c.Address, Endpoint: c.Endpoint})
	}
	for _, c := range m.Config.Contacts {
		all = append(all, transport.Card{Address: c.Address, Endpoint: c.Endpoint})
	}
	return all
}

// SaveCards keeps the contact cards if they have changed.
func (m *Members) SaveCards() {
	cards := m.Links.Cards()
	if slices.Equal(cards, m.cards) {
		return
	}
	text, err := json.Marshal(cards)
	if err != nil {
		panic(err) // strings and numbers
	}
	m.cards = cards
	m.Keep(m.Commit(disk.Put{Bucket: disk.Meta, Key: cardsKey, Value: text}))
}

// Share is how much of the map this node has.
func (m *Members) Share() float64 {
	if !m.IsMember() {
		return 0
	}
	s := m.Peer.State()
	zone, whole, share := s.Can.Self.Zone, m.Cores.Can.Space.Whole(), 1.0
	for k := range whole.Low {
		share *= float64(zone.High[k]-zone.Low[k]) / float64(whole.High[k]-whole.Low[k])
	}
	return share
}
