package node

import (
	"cmp"
	"encoding/json"
	"maps"
	"net"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// members are the nodes of the grid, as far as this one knows them.
type members struct {
	*life.Runtime
	*config.Settings
	commit func(...disk.Put) error

	cards     []transport.Card                   // that are on the disk
	lives     map[protocol.Address]uint16        // the latest known
	noted     map[protocol.Address]uint16        // the latest lives that had a lease, as witnesses say
	departed  map[protocol.Address]rpc.Departure // the latest lives that have left in order
	suspected map[protocol.NodeID]time.Duration  // when the witnesses were last asked about it
}

var _ grid = &members{}

func newMembers(r *life.Runtime, s *config.Settings) *members {
	return &members{
		Runtime: r, Settings: s, lives: map[protocol.Address]uint16{}, noted: map[protocol.Address]uint16{},
		suspected: map[protocol.NodeID]time.Duration{},
	}
}

// member reports whether the node has a zone.
func (m *members) member() bool {
	s := m.Peer.State()
	return s.Can.Phase == can.Member
}

// alive returns the nodes that are known, and not known to be dead.
func (m *members) alive() []protocol.NodeID { return slices.DeleteFunc(m.known(), m.dead) }

// known returns the latest lives of all other nodes that are known, sorted.
func (m *members) known() (ids []protocol.NodeID) {
	for _, card := range m.Links.Cards() {
		if card.Incarnation > 0 && card.Address != m.Self.Address {
			ids = append(ids, protocol.NodeID{Address: card.Address, Incarnation: card.Incarnation})
		}
	}
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return ids
}

// machineOf is the host of a node's endpoint.
func (m *members) machineOf(id protocol.NodeID) string {
	for _, card := range m.Links.Cards() {
		if card.Address == id.Address {
			if host, _, err := net.SplitHostPort(card.Endpoint); err == nil {
				return host
			}
		}
	}
	return "-"
}

// latest is the latest known life at the address of a node.
func (m *members) latest(id protocol.NodeID) protocol.NodeID {
	if id.Address == m.Self.Address {
		return m.Self
	}
	if life := m.lives[id.Address]; life > id.Incarnation {
		id.Incarnation = life
	}
	return id
}

// lastKnown is the latest life at an address that is known here, or that a witness has named.
func (m *members) lastKnown(a protocol.Address) protocol.NodeID {
	return protocol.NodeID{Address: a, Incarnation: max(m.lives[a], m.noted[a])}
}

// dead reports that a life of a node is over, by certificate, or because a later one has begun.
func (m *members) dead(id protocol.NodeID) bool {
	if id.IsNobody() || id == m.Self {
		return false
	}
	s := m.Lease.State()
	return s.IsDead(id) || m.latest(id) != id
}

// fate says what has become of a life of a node, or nothing if it lives.
func (m *members) fate(id protocol.NodeID) string {
	switch s := m.Lease.State(); {
	case !m.dead(id):
		return ""
	case s.IsDead(id):
		return "was declared dead"
	}
	return "has begun another life"
}

// suspect asks the witnesses about a node that is or was in the grid. One that has no lease yet
// would lose its life by the question.
func (m *members) suspect(id protocol.NodeID) {
	if id != m.Self && m.mayAsk(id) {
		m.Later(func() { m.Loop.Command(life.LeaseID, lease.Command{Kind: lease.CommandAsk, Node: id}) })
	}
}

// inquire asks the witnesses for the latest incarnation at an address: one that was lost without
// the knowledge of this node would be awaited forever.
func (m *members) inquire(of protocol.Address) {
	if !m.mayAsk(protocol.NodeID{Address: of}) {
		return
	}
	for _, w := range m.Config.Grid.Witnesses {
		witness := protocol.NodeID{Address: w}
		rpc.Life.Ask(m.Calls, rpc.Daemon(witness).Within(askAgain), of, func(life uint16, err error) {
			if err == nil {
				m.noted[of] = max(m.noted[of], life)
			}
		})
	}
}

// mayAsk reports whether the witnesses are to be asked about a node, and notes that they are.
func (m *members) mayAsk(id protocol.NodeID) bool {
	if last, asked := m.suspected[id]; asked && m.Clock()-last < askAgain {
		return false
	}
	if len(m.suspected) >= suspectLimit {
		clear(m.suspected)
	}
	m.suspected[id] = m.Clock()
	return true
}

// hasLeft returns the departure of a life that has left in order.
func (m *members) hasLeft(id protocol.NodeID) (d rpc.Departure, has bool) {
	d = m.departed[id.Address]
	return d, !id.IsNobody() && d.Life == id && !d.At.IsZero() && (!d.Told || m.dead(id))
}

// hasNothing reports whether a life has left, and with it nothing that others do not have.
func (m *members) hasNothing(id protocol.NodeID) bool {
	d, has := m.hasLeft(id)
	return has && !d.Sole
}

// isListed reports whether a node is shown: it has not left long ago, or former ones are wanted.
func (m *members) isListed(id protocol.NodeID, former bool) bool {
	d, has := m.hasLeft(id)
	return !has || former || m.Since(d.At) <= leftShown
}

// overText is what users read of a life that is over: "is dead", or "has left the grid".
func (m *members) overText(id protocol.NodeID) string {
	if _, has := m.hasLeft(id); has {
		return "has left the grid"
	}
	return "is dead"
}

// named is the node that a user means: this one if there is no name. A name without a number means
// the present life.
func (m *members) named(text string) (protocol.NodeID, error) {
	if text == "" {
		return m.Self, nil
	}
	want, err := parseNode(text)
	if err != nil {
		return want, err
	}
	for _, id := range append(m.known(), m.Self) {
		if id.Address != want.Address || want.Incarnation > 1 && id != want {
			continue
		}
		return id, nil
	}
	return want, noNode(text, "")
}

// keepDeparted keeps which nodes have left, if that is news.
func (m *members) keepDeparted(all rpc.Departures) {
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
	m.Keep(m.commit(disk.Put{Bucket: disk.Meta, Key: departedKey, Value: text}))
}

// askDeparted asks the witnesses which nodes have left while this daemon was down.
func (m *members) askDeparted() {
	for _, w := range m.Config.Grid.Witnesses {
		if w == m.Self.Address {
			continue
		}
		witness := rpc.Daemon(protocol.NodeID{Address: w}).Within(catchUpPatience)
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

// answerDeparted lists the nodes that have left, the latest first.
func (m *members) answerDeparted(protocol.NodeID, rpc.None) (rpc.Departures, error) {
	all := rpc.Departures(slices.SortedFunc(maps.Values(m.departed), func(a, b rpc.Departure) int {
		return cmp.Or(b.At.Compare(a.At), a.Life.Compare(b.Life))
	}))
	return all[:min(len(all), rpc.DeparturesLimit)], nil
}

func (m *members) answerFarewell(from protocol.NodeID, f rpc.FarewellReport) (rpc.None, error) {
	m.Log.Info("a node has left the grid", "node", from.String())
	m.keepDeparted(rpc.Departures{{Life: from, At: m.Wall(), Sole: f.Sole}})
	return rpc.None{}, nil
}

// loadDeparted reads which nodes have left.
func (m *members) loadDeparted() error {
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

// loadCards reads the contact cards that a former life has kept.
func (m *members) loadCards() error {
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

// contacts are the cards of former lives, and those of the configuration. Which lives the others
// had then means nothing.
func (m *members) contacts() (all []transport.Card) {
	for _, c := range m.cards {
		all = append(all, transport.Card{Address: c.Address, Endpoint: c.Endpoint})
	}
	for _, c := range m.Config.Contacts {
		all = append(all, transport.Card{Address: c.Address, Endpoint: c.Endpoint})
	}
	return all
}

// saveCards keeps the contact cards if they have changed.
func (m *members) saveCards() {
	cards := m.Links.Cards()
	if slices.Equal(cards, m.cards) {
		return
	}
	text, err := json.Marshal(cards)
	if err != nil {
		panic(err) // strings and numbers
	}
	m.cards = cards
	m.Keep(m.commit(disk.Put{Bucket: disk.Meta, Key: cardsKey, Value: text}))
}

// share is how much of the map this node has.
func (m *members) share() float64 {
	if !m.member() {
		return 0
	}
	s := m.Peer.State()
	zone, whole, share := s.Can.Self.Zone, m.Cores.Can.Space.Whole(), 1.0
	for k := range whole.Low {
		share *= float64(zone.High[k]-zone.Low[k]) / float64(whole.High[k]-whole.Low[k])
	}
	return share
}
