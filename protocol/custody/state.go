package custody

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// State is one custodian's part in one job. It is a value: Step never changes its argument.
type State struct {
	Self       protocol.NodeID
	Custodians []protocol.Address // of the job, the first one took it
	Over       bool               // the disk could not be read: nothing happens any more
	Disk       Disk
	Lives      []Life  // known incarnations of each custodian, in the order of Custodians
	Wanted     uint32  // CommandAccept wants a job with this limit of attempts; 0: not wanted, or accepted
	Loss       bool    // the operator's word that the other disk is gone
	Forming    Forming // a view, at its leader
	Primary    Primary // of the view on the disk
}

// Disk is the persisted part of a custodian.
type Disk struct {
	Promised uint32 // it takes part in no view with a smaller number
	Yielded  bool   // it has promised a view to another custodian since View was stored
	View     View   // the newest that it is a member of, formed or not
	Seq      uint32 // the number of the record in that view
	Record   Record
}

// Life has the known incarnations of another custodian.
type Life struct {
	Known uint16 // the latest known one; 0: none
	Dead  uint16 // the latest that has certainly ended; 0: none
}

// gone reports whether nothing runs there, as far as is known.
func (l Life) gone() bool { return l.Dead > 0 && l.Dead >= l.Known }

// Forming is a view that its leader tries to form.
type Forming struct {
	Active bool
	Lives  []protocol.NodeID // that have promised, in the order of the custodians
	View   View              // the newest that one of them has stored,
	Seq    uint32            // its newest number,
	Record Record            // and that record
}

// Primary is the role of the owner of the view on the disk, while it is a member and has promised
// no later one.
type Primary struct {
	Acked     []bool // by member: it has stored the latest record
	Leads     bool   // all members have stored the view
	Committed bool   // all members have stored the latest record
	Record    Record // the latest that all members had stored, while it led
	Submitted uint32 // the latest try that it announced
	Accepted  bool   // it announced that the job is accepted
}

// New returns the state of an instance at a node that runs, before an input of kind Start or
// Restart. The custodians are those of the job, each once, and the node is one of them.
func New(self protocol.NodeID, custodians []protocol.Address) State {
	s := State{Self: self, Custodians: custodians, Lives: make([]Life, len(custodians))}
	if i := s.index(self.Address); i >= 0 {
		s.Lives[i].Known = self.Incarnation
	}
	return s
}

// Leads reports whether this custodian is the primary: it decides what becomes of the job.
func (s *State) Leads() bool { return s.Primary.Leads }

// Record returns what the custodian has on its disk. At the primary all members of the view have
// it, if the second result is true. A record without a try stands for no record.
func (s *State) Record() (r Record, committed bool) {
	return s.Disk.Record, s.Primary.Leads && s.Primary.Committed
}

// Leader returns the custodian that leads, as far as this one knows: the first of the list that may
// run. Its incarnation is 0 if no incarnation of it is known.
func (s *State) Leader() protocol.NodeID {
	i := s.leader()
	return protocol.NodeID{Address: s.Custodians[i], Incarnation: s.Lives[i].Known}
}

// WaitsFor lists the custodians without which the job cannot go on: dead ones whose disks may have
// later news, and live custodians that have not answered.
func (s *State) WaitsFor() (all []protocol.Address) {
	if s.Over || s.Primary.Leads {
		return nil
	}
	for i, a := range s.Custodians {
		waits := !slices.ContainsFunc(s.Forming.Lives, func(id protocol.NodeID) bool { return id.Address == a })
		if !s.Forming.Active {
			waits = i == s.leader()
		}
		if a != s.Self.Address && waits {
			all = append(all, a)
		}
	}
	return all
}

// index returns the place of an address in the list of custodians, or -1.
func (s *State) index(a protocol.Address) int { return slices.Index(s.Custodians, a) }

// leader returns the place of the first custodian that may run.
func (s *State) leader() int {
	for i, l := range s.Lives {
		if s.Custodians[i] == s.Self.Address || !l.gone() {
			return i
		}
	}
	return 0
}

// owner returns the address of the custodian that owns the view of a number.
func (s *State) owner(number uint32) protocol.Address {
	return s.Custodians[number%uint32(len(s.Custodians))]
}

// works reports whether the custodian takes part in the view on its disk.
func (s *State) works() bool {
	return s.Disk.View.Number > 0 && s.Disk.Promised == s.Disk.View.Number &&
		slices.Contains(s.Disk.View.Members, s.Self)
}

// presides reports whether it does so as the primary.
func (s *State) presides() bool { return s.works() && s.owner(s.Disk.View.Number) == s.Self.Address }

// clone returns a state that shares no slice that Step changes in place.
func (s State) clone() State {
	s.Lives = slices.Clone(s.Lives)
	s.Primary.Acked = slices.Clone(s.Primary.Acked)
	s.Forming.Lives = slices.Clone(s.Forming.Lives)
	return s
}
