package mutation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// edited is a file with a function of each kind.
const edited = `package edited

type set[T any] struct{ all []T }

func (s *set[T]) add(v T, _ int, more ...T) { s.all = append(s.all, v) }

func (set[T]) none(int, string) (n int) {
	return 1
}

func pair[A, B any](a A, b B) (A, B) { return a, b }

const limit = 3
`

// A function that edits change calls the alternative that is on with the same arguments.
func TestAlternatives(t *testing.T) {
	edits := []numbered{
		{Edit{Name: "adds-all", File: "edited.go", Old: "append(s.all, v)", New: "append(s.all, more...)"}, 1},
		{Edit{Name: "adds-none", File: "edited.go", Old: "{ s.all = append(s.all, v) }", New: "{ _ = v }"}, 2},
		{Edit{
			Name: "none-counts", File: "edited.go", Old: "return 1\n}\n", New: "calls++\n\treturn calls\n}\n\nvar calls int\n",
		}, 3},
		{Edit{Name: "pair-panics", File: "edited.go", Old: "return a, b }", New: "panic(b) }"}, 4},
	}
	text, err := withAlternatives("edited.go", edited, edits)
	require.NoError(t, err)
	assert.Equal(t, `package edited; import mutant_ "github.com/canvass-grid/canvass/internal/mutation/active"

type set[T any] struct{ all []T }

func (s *set[T]) add(v T, _unnamed1 int, more ...T) {`+
		` switch mutant_.On() { case 1: s.add_mutant1(v, _unnamed1, more...); return; `+
		`case 2: s.add_mutant2(v, _unnamed1, more...); return; };  s.all = append(s.all, v) }

func (unnamed1_ set[T]) none(unnamed2_ int, unnamed3_ string) (n int) {`+
		` switch mutant_.On() { case 3: return unnamed1_.none_mutant3(unnamed2_, unnamed3_); }; `+`
	return 1
}

func pair[A, B any](a A, b B) (A, B) {`+
		` switch mutant_.On() { case 4: return pair_mutant4[A, B](a, b); };  return a, b }

const limit = 3

var _ = mutant_.None

//line adds-all.mutant:5
func (s *set[T]) add_mutant1(v T, _ int, more ...T) { s.all = append(s.all, more...) }

//line adds-none.mutant:5
func (s *set[T]) add_mutant2(v T, _ int, more ...T) { _ = v }

//line none-counts.mutant:7
func (set[T]) none_mutant3(int, string) (n int) {
	calls++
	return calls
}

var calls int

//line pair-panics.mutant:11
func pair_mutant4[A, B any](a A, b B) (A, B) { panic(b) }
`, text)
}

// An edit that cannot be switched on is refused, and the refusal says why.
func TestEditsThatDoNotFit(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "edited.go"), []byte(edited), 0o600))
	for why, e := range map[string]Edit{
		"occurs 0 times":               {Old: "no such text", New: ""},
		"occurs 2 times":               {Old: "return", New: ""},
		"the body of one function":     {Old: "limit = 3", New: "limit = 4"},
		"expected":                     {Old: "return 1", New: "return 1 +"},
		"changes more than the body":   {Old: "return a, b }\n\nconst limit = 3\n", New: "return b, a }\n"},
		"fit the mutant to the code":   {Old: "", New: "x"},
		"change a function that uses ": {Old: "(a A, b B) (A, B) { return a, b }", New: "(a, b A) (A, A) { return a, b }"},
	} {
		e.Name, e.File = "it", "edited.go"
		assert.ErrorContains(t, e.Fits(root), why)
	}
	overlay, err := Edit{Name: "it", File: "edited.go", Old: "return 1", New: "return 2"}.Overlay(root, root)
	require.NoError(t, err)
	text, err := os.ReadFile(overlay)
	require.NoError(t, err)
	assert.Contains(t, string(text), filepath.Join(root, "edited.go"))
	text, err = os.ReadFile(filepath.Join(root, "edited.go.txt"))
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(edited, "return 1", "return 2", 1), string(text))
}

// A process whose environment a runner sets gets the mutant, too.
func TestMutantsAreHandedOn(t *testing.T) {
	text, err := withAlternatives(
		runners+"/start.go", "package runner\n\nfunc f() { cmd.Env, cmd.Dir = []string{v}, x }\n", nil)
	require.NoError(t, err)
	assert.Contains(t, text, "cmd.Env, cmd.Dir = mutant_.Environment([]string{v}), x }")
}
