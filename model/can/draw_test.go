package can

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/traces"
)

// filmed calls visit with each step of each trace in the corpus, and the drawing of its machine.
func filmed(t *testing.T, visit func(trace *traces.Trace, i int, machine traces.Machine, p traces.Picture)) {
	t.Helper()
	paths, err := filepath.Glob("../../traces/corpus/*.itf.json")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	models := map[string]model.Checkable{}
	for _, m := range append(Models(), Published()...) {
		models[m.Info().Name] = m
	}
	for _, path := range paths {
		trace, err := traces.ReadFile(path)
		require.NoError(t, err)
		m, ours := models[trace.Header.Model]
		if !ours {
			continue // another protocol
		}
		machine := m.Machine()
		require.NoError(t, traces.Replay(machine, trace, func(i int, _ traces.Step) {
			visit(trace, i, machine, machine.(traces.Drawer).Draw())
		}))
	}
}

// For every broken property a remark says where: the page never claims a violation without showing
// it. A property that must hold in every state, or whose violation is final, is remarked on only if
// it is broken.
func TestRemarksFitProperties(t *testing.T) {
	always := []string{"NoConflict", "NoOverlap", "OwnerInside", "CancelledStays", "OneCommand"}
	quiet := []string{"NoGap", "NeighboursKnow", "Routable", "NobodyBusy"}
	met := map[string]bool{}
	filmed(t, func(trace *traces.Trace, i int, machine traces.Machine, p traces.Picture) {
		remarked := func(properties ...string) bool {
			return slices.ContainsFunc(p.Remarks, func(r traces.Remark) bool { return slices.Contains(properties, r.Property) })
		}
		for _, property := range append(always, quiet...) {
			holds, err := machine.Check(property)
			require.NoError(t, err)
			if !holds {
				met[property] = true
				assert.True(t, remarked(property), "%s, step %d: no remark on %s", trace.Header.Model, i, property)
			} else if slices.Contains(always, property) {
				assert.False(t, remarked(property), "%s, step %d: a remark on %s, which holds", trace.Header.Model, i, property)
			}
		}
		if holds, err := machine.Check("ViewsAgree"); err == nil && !holds {
			assert.True(t, remarked("ViewsAgree", "NeighboursKnow"), "%s, step %d: no remark on views", trace.Header.Model, i)
		}
	})
	assert.Len(t, met, 6, "of those properties, the corpus breaks all but NoConflict, OwnerInside and OneCommand")
}

// Remarks exist for properties that the corpus does not break, too: a promise that the proposer
// takes for another, and false reports.
func TestRemarksOnPromisesAndAnswers(t *testing.T) {
	p := squareMap(t)
	a, b := p.views[0], p.views[1]
	a.Round, a.Assumes = 1, []Seen{b.Self}
	b.Promised, b.PromisedRound = a.Self.ID, 1
	remarks := func() (all []string) {
		picture := &traces.Picture{Nodes: make([]traces.Figure, len(p.views))}
		Sketch(p.oracle.space, p.views, picture)
		p.oracle.draw(p.state(), picture)
		for _, r := range picture.Remarks {
			all = append(all, r.Property+": "+r.Text)
		}
		return all
	}
	none := []string{"NoGap: no node owns [0,8)x[0,8)"} // no slot of that state is live
	require.Equal(t, none, remarks())
	b.Self.Version = 2
	assert.Contains(
		t,
		remarks(),
		"ViewsFit: B has made a promise to A, whose round uses version 1 of its record; the present version is 2",
	)
	p.past.joined.add(2)
	p.past.left.add(3)
	p.views[2].Member = false
	assert.Contains(t, remarks(),
		"Truthful: C reported that it has joined; it owns no zone and was not commanded to leave")
	assert.Contains(t, remarks(), "Truthful: D reported that it has left; it still owns a zone")
}

// The zones on the map are those of the states, and the records of a node are on it as its view.
func TestRegionsAreZones(t *testing.T) {
	filmed(t, func(trace *traces.Trace, i int, _ traces.Machine, p traces.Picture) {
		for _, r := range p.Regions {
			who := r.Node
			if r.Viewer != "" {
				who = r.Viewer
			}
			at := slices.IndexFunc(trace.Steps[i].State, func(v traces.Variable) bool { return v.Name == who })
			var zone space.Zone
			for k := range zone.Low {
				zone.High[k] = 1
				if k < len(r.Low) {
					zone.Low[k], zone.High[k] = int32(r.Low[k]), int32(r.High[k])
				}
			}
			text := space.Text{Dims: len(p.Axes)}
			text.Zone(zone)
			assert.Contains(
				t,
				trace.Steps[i].State[at].Value,
				" "+string(text.Dst)+" @",
				"%s, step %d: %+v",
				trace.Header.Model,
				i,
				r,
			)
		}
	})
}

// Every word that a run in the corpus begins a message, a timer, an order or an event with is
// explained, and so are all events of the corrected core.
func TestWordsExplainTheCorpus(t *testing.T) {
	explained := func(family, kind, text string) {
		word, _, _ := strings.Cut(text, " ")
		assert.True(t, slices.ContainsFunc(words(family), func(w traces.Term) bool {
			return w.Kind == kind && w.Word == word && w.Meaning != ""
		}), "%s: the %s %q is not explained", family, kind, word)
	}
	kinds := map[string]string{
		"deliver": traces.MessageTerm, "duplicate": traces.MessageTerm, "drop": traces.MessageTerm,
		"timeout":       traces.TimerTerm,
		"timeout-early": traces.TimerTerm, "suspect": traces.TimerTerm, "command": traces.CommandTerm,
	}
	filmed(t, func(trace *traces.Trace, i int, _ traces.Machine, p traces.Picture) {
		family, _, _ := strings.Cut(trace.Header.Model, "/")
		s := &trace.Steps[i]
		if kind, ok := kinds[s.Action.Kind]; ok {
			explained(family, kind, s.Action.Text)
		}
		for _, m := range p.Flying {
			explained(family, traces.MessageTerm, m.Text)
		}
		for _, e := range s.Effects {
			if text, ok := strings.CutPrefix(e, "event "); ok && !strings.HasPrefix(text, "crash") {
				explained(family, traces.EventTerm, text)
			}
		}
	})
	cfg := can.Config{}
	for _, m := range []can.Message{
		can.Join{}, can.Refuse{}, can.Propose{}, can.ProposeOK{}, can.Release{}, can.Commit{}, can.CommitOK{},
		can.Update{}, can.Query{}, can.Answer{},
	} {
		explained("can", traces.MessageTerm, strings.ReplaceAll(can.MessageText(&cfg, m), "{", " "))
	}
	for kind := can.RetryTimer; kind <= can.MissedTimer; kind++ {
		explained("can", traces.TimerTerm, can.TimerText(protocol.Timer{Kind: kind}))
	}
}
