package lint

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"
)

var proseOf = flag.String("prose", "", "list the strange lines of the paths that begin with this; \".\" lists all")

// TestProse lists strange lines for the person who rewrites them.
func TestProse(t *testing.T) {
	tree, err := Load(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	p := CountProse(tree)
	t.Logf("%d of %d lines are strange: %d in 10,000", len(p.Strange), p.Lines, p.Share())
	if p.Lines < 10_000 {
		t.Errorf("found %d lines of prose; most of it is not seen", p.Lines)
	}
	for _, s := range p.Strange {
		if *proseOf != "" && strings.HasPrefix(s.Path, strings.TrimSuffix(*proseOf, ".")) {
			t.Logf("%s:%d: %s [%s]", s.Path, s.Line, s.Text, s.Shape)
		}
	}
}

// TestShapes pins each shape: sentences that hold it, and near ones that do not.
func TestShapes(t *testing.T) {
	for _, test := range []struct{ shape, text string }{
		{"what", "Later is what the timer waits for."},
		{"what", "What it needs is in the batch."},
		{"", "What does it need?"},
		{"", "Errors say what to do."},
		{"", `The paper says: "of what it knows".`},
		{"none", "A result that it reported is none."},
		{"", "It returns nil if there is none."},
		{"torn", "Whether no process runs that must end."},
		{"", "The runs that are compared."},
		{"", "TestHouse holds that the rules apply."},
		{"mind", "The node knows no neighbour."},
		{"", "The node has no neighbour."},
		{"who", "Nobody asked for it again."},
		{"", "the user `nobody` owns it"},
		{"filler", "Besides, it ends here."},
		{"life", "It counts the starts of a life."},
		{"duty", "A task that is to be halted."},
		{"anew", "The search begins anew."},
		{"fronted", "It stops. Of two nodes the first leads."},
		{"", "The first of two nodes leads."},
	} {
		c := &proseCounter{shapes: shapes()}
		c.paragraph("x", []proseLine{{test.text, 1}})
		got := ""
		if len(c.prose.Strange) > 0 {
			got = c.prose.Strange[0].Shape
		}
		if got != test.shape {
			t.Errorf("%q: shape %q, want %q", test.text, got, test.shape)
		}
	}
}
