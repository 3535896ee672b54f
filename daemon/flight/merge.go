package flight

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/traces"
)

// ErrMerge is wrapped by errors about records that fit no common run.
var ErrMerge = errors.New("the records fit no run")

// Merged is the result of a merge.
type Merged struct {
	Trace  *traces.Trace
	Lives  int
	Steps  int
	Unseen int      // messages whose sending is in no record, since their sender was killed
	Notes  []string // of the files
}

// recorded is an input of a peer core in a record.
type recorded struct {
	sequence uint64
	at       time.Duration
	in       peer.Input
	digest   uint64 // of the output
	whole    bool   // the output was recorded
}

// recordedLife is the peer core of one incarnation.
type recordedLife struct {
	file   string
	config []byte
	kind   uint8
	state  []byte
	inputs []recorded
}

// Merge joins the records of several nodes into one run of their peer cores. A message is delivered
// after it was sent; apart from that the steps have the order of their times. Each step must be
// enabled, and its output the recorded one. The trace ends at the first state that violates a
// property, if there is one. All records of an incarnation must be given.
func Merge(files []string, describe string) (Merged, error) {
	segments, err := order(files)
	if err != nil {
		return Merged{}, err
	}
	var merged Merged
	var all []*recordedLife
	for i, s := range segments {
		if i == 0 || segments[i-1].header.Life != s.header.Life {
			all = append(all, &recordedLife{})
		}
		note, err := all[len(all)-1].read(s)
		if err != nil {
			return merged, err
		}
		if note != "" {
			merged.Notes = append(merged.Notes, note)
		}
	}
	all = slices.DeleteFunc(all, func(l *recordedLife) bool { return len(l.inputs) == 0 })
	if len(all) == 0 {
		return merged, fmt.Errorf("%w: there is no step of core %s", ErrMerge, peerName)
	}
	merged.Lives = len(all)
	m, err := production(all)
	if err != nil {
		return merged, err
	}
	return merged, m.merge(all, &merged, describe)
}

// read reads a segment of an incarnation.
func (l *recordedLife) read(s segment) (note string, err error) {
	i := slices.IndexFunc(s.header.Cores, func(k CoreKind) bool { return k.Name == peerName })
	if i < 0 {
		return "", fmt.Errorf("%s: %w: core %s", s.file, ErrCore, peerName)
	}
	kind := s.header.Cores[i]
	first := l.file == ""
	if first && s.header.Segment != 0 {
		return "", fmt.Errorf("%s: %w: segment %d is the first one of life %s that is given; give all, or leave the life out",
			s.file, ErrMerge, s.header.Segment, s.header.Life)
	}
	l.file, l.config, l.kind = s.file, kind.Config, kind.Kind
	core := &peer.Core{}
	if err := decodeConfig(kind.Config, &core.Config, core.Config.Validate); err != nil {
		return "", fmt.Errorf("%s: %w", s.file, err)
	}
	r, err := Open(s.file)
	if err != nil {
		return "", err
	}
	defer r.Close()
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Note(), nil
		}
		if err != nil {
			return "", err
		}
		if err := l.take(core, &record); err != nil {
			return "", fmt.Errorf("%s: record %d: %w", s.file, record.Sequence, err)
		}
	}
}

// take takes a record.
func (l *recordedLife) take(core *peer.Core, r *Record) error {
	if r.Kind == GapRecord {
		return fmt.Errorf("%w: %d records are missing", ErrMerge, r.Lost)
	}
	if r.Core.Kind != l.kind {
		return nil
	}
	switch r.Kind {
	case SnapshotRecord:
		if l.state == nil {
			l.state = r.Bytes
		}
	case InputRecord:
		in, err := protocol.DecodeInput(core, r.Bytes)
		if err != nil {
			return err
		}
		l.inputs = append(l.inputs, recorded{sequence: r.Sequence, at: r.At, in: in})
	case OutputRecord:
		if n := len(l.inputs); n > 0 {
			l.inputs[n-1].digest, l.inputs[n-1].whole = r.Digest, true
		}
	}
	return nil
}

// production makes the machine of some incarnations. An incarnation gets its name from its first
// step.
func production(all []*recordedLife) (*Production, error) {
	m := &Production{core: &peer.Core{}}
	for _, l := range all {
		if string(l.config) != string(all[0].config) {
			return nil, fmt.Errorf("%w: %s and %s are of grids with different configurations", ErrMerge, all[0].file, l.file)
		}
		if err := decodeConfig(l.config, &m.core.Config, m.core.Config.Validate); err != nil {
			return nil, fmt.Errorf("%s: %w", l.file, err)
		}
		state, err := m.core.DecodeState(l.state)
		if err != nil {
			return nil, fmt.Errorf("%s: the first state: %w", l.file, err)
		}
		begun, _ := m.core.Step(state, l.inputs[0].in)
		name := begun.ID().String()
		if m.life(name) != nil {
			return nil, fmt.Errorf("%w: two records are of life %s", ErrMerge, name)
		}
		m.start.Lives = append(m.start.Lives, made{name, hex.EncodeToString(l.state)})
		m.lives = append(m.lives, &productionLife{name: name, state: state, left: len(l.inputs)})
	}
	m.start.Config = m.core.Config
	return m, nil
}

// merge finds the order, and takes all steps in it.
func (m *Production) merge(all []*recordedLife, merged *Merged, describe string) error {
	bounds, err := json.Marshal(m.start)
	if err != nil {
		return err
	}
	t := &traces.Trace{Loop: -1, Header: traces.Header{
		Model: ProductionModel, Property: Complete, Shape: traces.Sometimes, Verdict: traces.Holds, Trigger: -1,
		Bounds: string(bounds), Description: describe,
	}}
	t.Steps = []traces.Step{{Action: traces.Action{Kind: traces.Init}, State: m.State()}}
	merged.Trace = t
	next := make([]int, len(all))
	for {
		at, why, err := m.pick(all, next)
		if err != nil {
			return err
		}
		if at < 0 && why == "" {
			return nil
		}
		if at < 0 {
			return fmt.Errorf("%w: %s", ErrMerge, why)
		}
		r, l := &all[at].inputs[next[at]], m.lives[at]
		next[at]++
		action := m.action(l, r.in)
		if action.Cost == unseenCost && m.flies(l, r.in) >= 0 {
			action.Cost = ""
		}
		if action.Cost == unseenCost {
			merged.Unseen++
		}
		out := m.step(l, r.in)
		if digest := protocol.Hash(protocol.AppendOutput(nil, m.core, out)); r.whole && digest != r.digest {
			return fmt.Errorf("%s: record %d: %w: the output of this build has the digest %016x, recorded was %016x",
				all[at].file, r.sequence, ErrMerge, digest, r.digest)
		}
		t.Steps = append(t.Steps, traces.Step{Action: action, State: m.State(), Effects: m.effects(l, out)})
		merged.Steps++
		for _, property := range properties {
			if holds, err := m.Check(property); err == nil && !holds {
				t.Header.Property, t.Header.Shape, t.Header.Verdict = property, traces.Always, traces.Violated
				return nil
			}
		}
	}
}

// pick chooses the incarnation with the earliest next step among the enabled ones. If no step is
// enabled, it reports why the earliest of all is not. At is -1, and why empty, at the end.
func (m *Production) pick(all []*recordedLife, next []int) (at int, why string, err error) {
	var order []int
	for i, l := range all {
		if next[i] < len(l.inputs) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return int(all[i].inputs[next[i]].at - all[j].inputs[next[j]].at)
	})
	for _, i := range order {
		r := &all[i].inputs[next[i]]
		refused := m.refuse(m.lives[i], r.in)
		if refused == "" {
			return i, "", nil
		}
		if why == "" {
			a := m.action(m.lives[i], r.in)
			why = fmt.Sprintf("%s: record %d: %q is not enabled: %s", all[i].file, r.sequence, a, refused)
		}
	}
	return -1, why, nil
}
