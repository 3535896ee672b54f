package traces_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/traces"
)

// shownPage is a page without its style sheet and its script, which are files of their own.
func shownPage(t *testing.T, run *traces.Trace, page traces.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := traces.WriteHTML(&b, run, page); err != nil {
		t.Fatal(err)
	}
	short := regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(b.String(), "<style></style>")
	return regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAllString(short, "<script></script>")
}

// drawnRelay is a relay that can be drawn: A and B on a line, and a remark once the numbers are out
// of order.
type drawnRelay struct{ relay }

func (r *drawnRelay) Draw() traces.Picture {
	p := traces.Picture{
		Nodes:   []traces.Figure{{Name: "A", At: []int{1}}, {Name: "B", At: []int{5}, Status: "waiting"}},
		Axes:    []traces.Axis{{Name: "place", High: 8}},
		Regions: []traces.Region{{Node: "A", Low: []int{0}, High: []int{4}}, {Node: "B", Low: []int{4}, High: []int{8}}},
	}
	if ok, err := r.Check("InOrder"); err == nil && !ok {
		p.Remarks = []traces.Remark{{Property: "InOrder", Node: "B", Text: "B has <2> before 1"}}
	}
	return p
}

// TestPageGolden compares pages, without their style sheet and script, with the files under
// testdata.
func TestPageGolden(t *testing.T) {
	for _, run := range runs {
		t.Run(run.name, func(t *testing.T) {
			golden(t, filepath.Join("testdata", run.name+".html"), []byte(shownPage(t, run.make(), traces.Page{})))
		})
	}
	t.Run("drawn", func(t *testing.T) {
		machine := &drawnRelay{}
		page := traces.Page{
			Model: "A tells B", Property: "B hears <numbers> in order.", Why: "the network reorders",
			Words: []traces.Term{{Kind: traces.MessageTerm, Word: "number", Meaning: "one of A’s numbers"}},
		}
		run := disordered()
		if err := traces.Replay(machine, run, page.Observe(machine, "InOrder")); err != nil {
			t.Fatal(err)
		}
		if len(page.Pictures) != len(run.Steps) || len(page.Holds) != len(run.Steps) || page.Holds[len(run.Steps)-1] {
			t.Errorf("%d pictures and %v of %d steps", len(page.Pictures), page.Holds, len(run.Steps))
		}
		golden(t, filepath.Join("testdata", "drawn.html"), []byte(shownPage(t, run, page)))
		var story bytes.Buffer
		if err := traces.WriteStory(&story, run, page); err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", "drawn.story.txt"), story.Bytes())
	})
}

// A page names nothing outside of itself: no address but the name space of drawings, nothing to
// fetch.
func TestPageStandsAlone(t *testing.T) {
	var b bytes.Buffer
	if err := traces.WriteHTML(&b, forever(), traces.Page{}); err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(b.String(), "http://www.w3.org/2000/svg", "")
	for _, outside := range []string{
		"//[a-z]", `src=`, `@import`, `url\([^#]`, `<link`, `fetch\(`, `XMLHttp`, `import\(`, `innerHTML`,
	} {
		if at := regexp.MustCompile(outside).FindString(strings.ReplaceAll(page, "// ", "")); at != "" {
			t.Errorf("the page holds %q", at)
		}
	}
	if !strings.Contains(page, "default-src 'none'") {
		t.Error("the page does not forbid itself to fetch")
	}
}

// Texts that are markup come out as texts, in every place of the page.
func TestPageEscapes(t *testing.T) {
	const bad = `</script><script>bad()</script><img src=x onerror=bad()>"'`
	run := disordered()
	h := &run.Header
	h.Model, h.Property, h.Bounds, h.Commit, h.Go, h.Description = bad, bad, bad, bad, bad, bad
	for i := range run.Steps {
		s := &run.Steps[i]
		if i > 0 {
			s.Action.Node, s.Action.Text = bad, bad
		}
		s.Effects = append(s.Effects, "send "+strings.ReplaceAll(bad, " ", "")+"->B "+bad, "event "+bad)
		for k := range s.State {
			s.State[k] = traces.Variable{Name: strings.Repeat(bad, k+1), Value: bad}
		}
	}
	picture := traces.Picture{
		Nodes:   []traces.Figure{{Name: bad, Status: bad}},
		Remarks: []traces.Remark{{Property: bad, Node: bad, Text: bad}},
	}
	page := traces.Page{Model: bad, Property: bad, Why: bad, Words: []traces.Term{{Kind: bad, Word: bad, Meaning: bad}}}
	for range run.Steps {
		page.Pictures = append(page.Pictures, picture)
	}
	shown := shownPage(t, run, page)
	for _, markup := range []string{"<img", "<script>bad", "bad()</script>"} {
		if strings.Contains(shown, markup) {
			t.Errorf("the page holds %q as markup", markup)
		}
	}
	if n := strings.Count(shown, "</script>"); n != 2 {
		t.Errorf("the page closes %d scripts, want 2", n)
	}
}

// A run that repeats has no end, and a run that stops has a reason.
func TestPageSaysHowTheRunGoesOn(t *testing.T) {
	for _, test := range []struct {
		loop        int
		shape       string
		says, never string
	}{
		{-1, traces.Always, "The run ends here: p is violated.", "stops"},
		{-1, traces.LeadsTo, "Nothing more has to happen, so the run stops here: p is violated.", "ends here"},
		{0, traces.LeadsTo, "This is the state of step 0 again, and the run repeats from there forever: p is violated.",
			"ends here"},
	} {
		state := []traces.Variable{{Name: "A", Value: "a"}}
		run := &traces.Trace{Loop: test.loop, Header: traces.Header{Model: "m", Property: "p", Shape: test.shape,
			Verdict: traces.Violated, Trigger: -1},
			Steps: []traces.Step{{Action: traces.Action{Kind: traces.Init}, State: state},
				{Action: traces.Action{Kind: "timeout", Node: "A"}, State: state}}}
		if test.shape == traces.LeadsTo {
			run.Header.Trigger = 0
		}
		story := regexp.MustCompile(`(?s)<ol class="story">.*?</ol>`).FindString(shownPage(t, run, traces.Page{}))
		if !strings.Contains(story, test.says) || strings.Contains(story, test.never) {
			t.Errorf("%s: the story must say %q and not %q:\n%s", test.shape, test.says, test.never, story)
		}
		var text bytes.Buffer
		if err := traces.WriteStory(&text, run, traces.Page{}); err != nil {
			t.Fatal(err)
		}
		if once := strings.Contains(text.String(), "Step 1 repeats forever"); once != (test.loop == 0) {
			t.Errorf("%s: %s", test.shape, text.String())
		}
	}
}

// A label that is too long loses its middle: its end distinguishes it from others. A few nodes
// leave more room for labels than many do.
func TestLabelsKeepTheirEnds(t *testing.T) {
	for _, test := range []struct {
		nodes   int
		text, w string
	}{
		{2, "Grant of lease 1 to node 7", "Grant of lease 1 to node 7"},
		{2, "Grant of lease 1 to the node with number 7", "Grant of lease … with number 7"},
		{16, "Grant of lease 1 to the node with number 7", "Grant …mber 7"},
	} {
		run := &traces.Trace{Loop: -1, Header: traces.Header{Model: "m", Property: "p", Shape: traces.Always,
			Verdict: traces.Violated, Trigger: -1}}
		var state []traces.Variable
		for i := range test.nodes {
			state = append(state, traces.Variable{Name: "n" + strconv.Itoa(i), Value: "a"})
		}
		run.Steps = []traces.Step{{Action: traces.Action{Kind: traces.Init}, State: state}}
		for i := range test.nodes {
			run.Steps = append(run.Steps, traces.Step{State: state,
				Action: traces.Action{Kind: "command", Node: "n" + strconv.Itoa(i), Text: test.text}})
		}
		page := shownPage(t, run, traces.Page{})
		if !strings.Contains(page, ">"+test.w+"</text>") {
			t.Errorf("%d nodes: no label %q in %s", test.nodes, test.w,
				regexp.MustCompile(`<text class="what.*?</text>`).FindAllString(page, 2))
		}
		if wide := strings.Contains(page, `<div class="columns wide">`); !wide {
			t.Errorf("%d nodes: the diagram is beside the map", test.nodes)
		}
	}
}
