package reptask_test

import (
	"cmp"
	"slices"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

const testDims = 2

func testConfig() *reptask.Config {
	cfg := reptask.DefaultConfig()
	cfg.Dims, cfg.Machine, cfg.Report = testDims, 1, true
	return &cfg
}

// two is a job of two nodes, without over-provisioning.
var two = reptask.Spec{Size: 2, Over: reptask.OverNone}

func genID(t *rapid.T) protocol.NodeID {
	return protocol.NodeID{
		Address:     protocol.Address(rapid.IntRange(0, 40).Draw(t, "address")),
		Incarnation: uint16(rapid.IntRange(0, 300).Draw(t, "incarnation")),
	}
}

func genIDs(t *rapid.T) []protocol.NodeID { return genList(t, genID) }

// genList draws a list; an empty one is nil.
func genList[T any](t *rapid.T, one func(*rapid.T) T) []T {
	all := rapid.SliceOfN(rapid.Custom(one), 0, 3).Draw(t, "list")
	if len(all) == 0 {
		return nil
	}
	return all
}

// genSorted draws a list in strict order.
func genSorted[T any](t *rapid.T, one func(*rapid.T) T, compare func(a, b T) int) []T {
	all := genList(t, one)
	slices.SortFunc(all, compare)
	return slices.CompactFunc(all, func(a, b T) bool { return compare(a, b) == 0 })
}

func genNumber(t *rapid.T) uint32 { return rapid.Uint32().Draw(t, "number") }

func genPoint(t *rapid.T) (p space.Point) {
	for k := range testDims {
		p[k] = rapid.Int32Range(0, space.MaxCoordinate).Draw(t, "coordinate")
	}
	return p
}

func genJob(t *rapid.T) reptask.Job {
	return reptask.Job{Submitted: rapid.Uint64().Draw(t, "submitted"), Owner: genID(t), Number: genNumber(t)}
}

func genAttempt(t *rapid.T) reptask.Attempt {
	return reptask.Attempt{Job: genJob(t), By: genID(t), Epoch: genNumber(t)}
}

func genFloor(t *rapid.T) reptask.Floor { return reptask.Floor{Job: genJob(t), Epoch: genNumber(t)} }

func genOver(t *rapid.T) reptask.Over {
	return rapid.OneOf(
		rapid.SampledFrom([]reptask.Over{reptask.OverTotal, reptask.OverNone, 1_500, 8_000}),
		rapid.Custom(func(t *rapid.T) reptask.Over {
			return reptask.Over(rapid.Uint32Range(uint32(reptask.OverNone), 1<<32-1).Draw(t, "permille"))
		}),
	).Draw(t, "over")
}

func genMoves(t *rapid.T) reptask.Moves {
	return reptask.Moves{rapid.Bool().Draw(t, "by DLB"), rapid.Bool().Draw(t, "by QB")}
}

func genAlgorithm(t *rapid.T) reptask.Algorithm {
	return reptask.Algorithm(rapid.IntRange(0, int(reptask.ByQB)).Draw(t, "algorithm"))
}

func genSpec(t *rapid.T) reptask.Spec {
	return reptask.Spec{
		Size:        rapid.Uint32Range(0, protocol.MaxItems).Draw(t, "size"),
		Over:        genOver(t),
		Requirement: genPoint(t),
	}
}

func genNeighbour(t *rapid.T) reptask.Neighbour {
	return reptask.Neighbour{ID: genID(t), Capability: genPoint(t), Length: genNumber(t)}
}

func genOwned(t *rapid.T) reptask.Owned {
	return reptask.Owned{
		Job:        genJob(t),
		By:         genID(t),
		Spec:       genSpec(t),
		State:      reptask.JobState(rapid.IntRange(0, 4).Draw(t, "state")),
		Epoch:      genNumber(t),
		Moves:      genMoves(t),
		Rep:        genID(t),
		Parting:    rapid.Bool().Draw(t, "parting"),
		Next:       genID(t),
		NextBy:     genAlgorithm(t),
		Candidates: genIDs(t),
		Refusals:   genNumber(t),
	}
}

func genMember(t *rapid.T) reptask.Member {
	return reptask.Member{
		Host:      genID(t),
		State:     reptask.MemberState(rapid.IntRange(0, 3).Draw(t, "state")),
		Vote:      genNumber(t),
		Withdrawn: genNumber(t),
		Position:  genNumber(t),
	}
}

func genRole(t *rapid.T) reptask.Role {
	return reptask.Role{
		Job:        genJob(t),
		By:         genID(t),
		Epoch:      genNumber(t),
		Owner:      genID(t),
		Bond:       reptask.Bond(rapid.IntRange(0, 2).Draw(t, "bond")),
		Candidates: genIDs(t),
		Spec:       genSpec(t),
		Moves:      genMoves(t),
		Phase:      reptask.Phase(rapid.IntRange(0, 4).Draw(t, "phase")),
		Why:        reptask.Reason(rapid.IntRange(0, 3).Draw(t, "why")),
		Target:     genID(t),
		TargetBy:   genAlgorithm(t),
		Members:    genSorted(t, genMember, func(a, b reptask.Member) int { return a.Host.Compare(b.Host) }),
	}
}

func genTask(t *rapid.T) reptask.Task {
	return reptask.Task{
		Job:   genJob(t),
		By:    genID(t),
		Epoch: genNumber(t),
		Rep:   genID(t),
		State: reptask.TaskState(rapid.IntRange(0, 4).Draw(t, "state")),
		Vote:  genNumber(t),
	}
}

func genState(t *rapid.T) reptask.State {
	byJob := func(a, b reptask.Job) int { return a.Compare(b) }
	return reptask.State{
		Self: genID(t), Jobs: genNumber(t), Epoch: genNumber(t),
		Owned: genSorted(t, genOwned, func(a, b reptask.Owned) int {
			return cmp.Or(a.Job.Owner.Compare(b.Job.Owner), cmp.Compare(a.Job.Number, b.Job.Number))
		}),
		Roles:   genSorted(t, genRole, func(a, b reptask.Role) int { return byJob(a.Job, b.Job) }),
		Tasks:   genSorted(t, genTask, func(a, b reptask.Task) int { return byJob(a.Job, b.Job) }),
		Floors:  genSorted(t, genFloor, func(a, b reptask.Floor) int { return byJob(a.Job, b.Job) }),
		Cluster: genSorted(t, genNeighbour, func(a, b reptask.Neighbour) int { return a.ID.Compare(b.ID) }),
		Silent:  genSorted(t, genID, protocol.NodeID.Compare),
		Leaving: rapid.Bool().Draw(t, "leaving"), Cordoned: rapid.Bool().Draw(t, "cordoned"),
	}
}

// genMessage draws a message with exactly the fields that its kind names.
func genMessage(t *rapid.T) reptask.Message {
	return genMessageOf(t, reptask.MessageKind(rapid.IntRange(1, int(reptask.Unable)).Draw(t, "kind")))
}

func genMessageOf(t *rapid.T, kind reptask.MessageKind) reptask.Message {
	m := reptask.Message{Kind: kind}
	if m.Kind == reptask.Beat {
		m.Positions = genSorted(t, func(t *rapid.T) reptask.Position {
			return reptask.Position{Attempt: genAttempt(t), Ahead: genNumber(t)}
		}, func(a, b reptask.Position) int { return a.Attempt.Job.Compare(b.Attempt.Job) })
		return m
	}
	m.Attempt = genAttempt(t)
	switch m.Kind {
	case reptask.Grant:
		m.Spec, m.Moves = genSpec(t), genMoves(t)
	case reptask.Ready, reptask.Withdraw, reptask.Withdrawn, reptask.Start:
		m.Vote = genNumber(t)
	case reptask.Cancel, reptask.Settled:
		m.Confirm = rapid.Bool().Draw(t, "confirm")
	case reptask.GiveUp:
		m.Reason, m.Target = reptask.Reason(rapid.IntRange(0, 3).Draw(t, "reason")), genID(t)
		m.By = genAlgorithm(t)
	case reptask.Adopt:
		m.Spec, m.Moves = genSpec(t), genMoves(t)
		m.Revoked, m.Done = rapid.Bool().Draw(t, "revoked"), rapid.Bool().Draw(t, "done")
		m.Candidates = genIDs(t)
	}
	return m
}

// genCommand draws a command with exactly the fields that its kind names.
func genCommand(t *rapid.T) reptask.Command {
	o := reptask.Command{Kind: reptask.CommandKind(rapid.IntRange(1, int(reptask.CommandUncordon)).Draw(t, "kind"))}
	switch o.Kind {
	case reptask.CommandCluster:
		o.Cluster = genList(t, genNeighbour)
	case reptask.CommandSubmit:
		o.Submitted, o.Spec, o.Candidates = rapid.Uint64().Draw(t, "submitted"), genSpec(t), genIDs(t)
	case reptask.CommandCancel:
		o.Number, o.Owner = genNumber(t), genID(t)
	case reptask.CommandMove:
		o.Job, o.Target, o.By = genJob(t), genID(t), genAlgorithm(t)
	case reptask.CommandAdopt:
		o.Job, o.Target, o.Candidates = genJob(t), genID(t), genIDs(t)
	}
	return o
}
