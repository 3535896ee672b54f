package traces_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/canvass-grid/canvass/traces"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files again; read the difference")

var runs = []struct {
	name string
	make func() *traces.Trace
}{
	{"disordered", disordered},
	{"forever", forever},
	{"witnessed", witnessed},
	{"crash", crashed},
	{"bare", bare},
}

// crashed has features that the relay lacks: incarnations, a node without a variable, texts that
// mean something to Mermaid, and an end without actions.
func crashed() *traces.Trace {
	h := header("deadlock", traces.DeadlockFree)
	h.Model, h.Budget, h.Description = "toy/crash", traces.Budget{Crash: 1, Restart: 1, Duplicate: 2}, ""
	state := func(c, rest string) []traces.Variable {
		return []traces.Variable{{Name: "C", Value: c}, {Name: "monitor", Value: rest}}
	}
	long := "all; #1 of 100% <b>\"quoted\"</b> and much longer than what can be shown in one place of a diagram: " +
		"äöü äöü äöü"
	return &traces.Trace{Header: h, Loop: -1, Steps: []traces.Step{
		{Action: traces.Action{Kind: "init"}, State: state("up", "")},
		{
			Action: traces.Action{Kind: "duplicate", Node: "C", Peer: "D", Text: "hello", Cost: "duplicate"},
			State:  state("up", "1"),
		},
		{Action: traces.Action{Kind: "timeout", Node: "C", Text: "early", Cost: "spurious"}, State: state("up", "1")},
		{Action: traces.Action{Kind: "crash", Node: "C", Cost: "crash"}, State: state("down", "1")},
		{
			Action:  traces.Action{Kind: "restart", Node: "C.2", Cost: "restart"},
			State:   state(long, "2"),
			Effects: []string{"event back"},
		},
		{Action: traces.Action{Kind: "command", Text: long}, State: state(long, "2")},
	}}
}

// bare is the least that a trace can be.
func bare() *traces.Trace {
	return &traces.Trace{Loop: -1, Steps: []traces.Step{{Action: traces.Action{Kind: "init"}}},
		Header: traces.Header{Model: "m", Property: "p", Shape: traces.Always, Verdict: traces.Violated, Trigger: -1}}
}

// TestGolden compares file and views of each run with the files under testdata.
func TestGolden(t *testing.T) {
	for _, run := range runs {
		for _, view := range []struct {
			suffix string
			write  func(io.Writer, *traces.Trace) error
		}{
			{".itf.json", traces.Write}, {".txt", traces.WriteText}, {".story.txt", story}, {".mmd", traces.WriteMermaid},
			{".shiviz", traces.WriteShiViz}, {".perfetto.json", traces.WritePerfetto}, {".dot", traces.WriteDOT},
		} {
			t.Run(run.name+view.suffix, func(t *testing.T) {
				var b bytes.Buffer
				if err := view.write(&b, run.make()); err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join("testdata", run.name+view.suffix), b.Bytes())
			})
		}
	}
}

// story writes a story without a page.
func story(w io.Writer, t *traces.Trace) error { return traces.WriteStory(w, t, traces.Page{}) }

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", path, got, want)
	}
}

func TestWriteSteps(t *testing.T) {
	var b bytes.Buffer
	if err := traces.WriteSteps(&b, witnessed().Steps[1:]); err != nil {
		t.Fatal(err)
	}
	want := "00 command A tell 1      => A: sent 1; B: got []; network: 1; send A->B number 1\n" +
		"01 deliver A->B number 1 => B: got [1]; network: -; event got 1\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
