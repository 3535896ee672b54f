package mutation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// toy is a core with a place for each operator.
const toy = `package toy

type NodeID struct{ Address, Incarnation uint32 }

type message struct {
	From, To NodeID
	Round    uint32
}

type node struct {
	ID    NodeID
	Round uint32
	Out   []message
}

func AppendRound(dst []byte, round uint32) []byte { return append(dst, byte(round)) }

func (n *node) send(to, from NodeID) { n.Out = append(n.Out, message{From: from, To: to, Round: n.Round}) }

func (n *node) deliver(m message, peer NodeID) {
	if m.Round < n.Round || m.From == n.ID && !n.idle() {
		n.ignore("old")
		return
	}
	for i := range n.Out {
		if n.Out[i].Round == 0 {
			continue
		}
	}
	if len(n.Out) > 3 {
		panic("too many")
	}
	n.Round = m.Round + 1
	n.send(peer, n.ID)
}

func (n *node) ignore(string)     {}
func (n *node) idle() bool        { return len(n.Out) == 0 }
func (n *node) encode() []byte    { return AppendRound(nil, n.Round) }
func (n *node) sum(a, b int) int  { return a + b }
func (n *node) String() string    { return "not mutated" }
`

// parsedAlone returns a file that stands alone.
func parsedAlone(t *testing.T, text string) source {
	t.Helper()
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "toy.go", text, parser.SkipObjectResolution)
	require.NoError(t, err)
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	pkg, err := new(types.Config).Check("toy", fset, []*ast.File{syntax}, info)
	require.NoError(t, err)
	return source{
		path: "protocol/toy/toy.go", whole: true, text: []byte(text), syntax: syntax, info: info, pkg: pkg, fset: fset,
	}
}

func TestMutants(t *testing.T) {
	s := parsedAlone(t, toy)
	var all []Mutant
	text := collect(&s, &all).file()
	var keys []string
	for i, m := range all {
		assert.Equal(t, uint32(i+1), m.ID)
		keys = append(keys, m.Key())
	}
	for _, want := range []string{
		"toy.node.send field `message{…}.Round = n.Round`",
		"toy.node.send source `to for from in From: from`",
		"toy.node.deliver boundary `m.Round < n.Round`",
		"toy.node.deliver false `m.Round < n.Round`",
		"toy.node.deliver true `m.From == n.ID`",
		"toy.node.deliver true `!n.idle()`",
		"toy.node.deliver source `m.To for m.From in m.From == n.ID`",
		"toy.node.deliver drop `return`",
		"toy.node.deliver drop `continue`",
		"toy.node.deliver drop `n.Round = m.Round + 1`",
		"toy.node.deliver off-by-1 `1 in m.Round + 1`",
		"toy.node.deliver swap `peer and n.ID in n.send(peer, n.ID)`",
		"toy.node.idle true `len(n.Out) == 0`",
		"toy.node.encode encode `AppendRound(dst, n.Round)`",
		"toy.node.sum plus `a + b`",
	} {
		assert.Contains(t, keys, want)
	}
	for _, key := range keys {
		assert.NotContains(t, key, "too many", "assertions stay")
		assert.NotContains(t, key, "n.ignore", "diagnostics stay")
		assert.NotContains(t, key, "not mutated", "texts stay")
	}
	_, err := parser.ParseFile(token.NewFileSet(), "mutated.go", text, 0)
	assert.NoError(t, err)
	for i := range all {
		assert.Regexp(t, `\(`+itoa(i+1)+`[,)]`, text, "mutant %d can be switched on", i+1)
	}
}

// A mutant goes with the environment of the shims that a runner starts, although the file that does
// so has no mutants.
func TestMutantsReachShims(t *testing.T) {
	root, err := Root()
	require.NoError(t, err)
	imports, err := Exports(root, packages()...)
	require.NoError(t, err)
	files, err := loadPackage(root, runners, imports)
	require.NoError(t, err)
	var copies strings.Builder
	var all []Mutant
	for i := range files {
		copies.WriteString(collect(&files[i], &all).file())
	}
	assert.Equal(t, 1, strings.Count(copies.String(), "active.Environment("))
	assert.NotEmpty(t, all)
}

func itoa(n int) string {
	digits := ""
	for ; n > 0; n /= 10 {
		digits = string(rune('0'+n%10)) + digits
	}
	return digits
}

// Equal changes in one function get numbers, so that every key is unique.
func TestKeysAreUnique(t *testing.T) {
	root, err := Root()
	require.NoError(t, err)
	sources, err := load(root)
	require.NoError(t, err)
	var all []Mutant
	for i := range sources {
		collect(&sources[i], &all)
	}
	assert.Greater(t, len(all), 1000)
	seen := map[string]bool{}
	for _, m := range all {
		assert.False(t, seen[m.Key()], m.Key())
		seen[m.Key()] = true
	}
}

// A package has the files that the compiler reads here: no tests, and no files of other systems.
func TestFilesOfOtherSystemsAreLeftOut(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "p"), 0o700))
	for name, text := range map[string]string{
		"here.go": "//go:build !ignore\n\npackage p\n\nfunc f() int { return 1 }\n", "text.go": "package p\n\nvar a = f()\n",
		"there.go":   "//go:build ignore\n\npackage p\n\nfunc f() int { return 2 }\n",
		"f_plan9.go": "package p\n\nfunc f() {}\n",
		"f_test.go":  "package p\n\nfunc f() {}\n", "doc.go": "package p\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "p", name), []byte(text), 0o600))
	}
	files, err := loadPackage(root, "p", nil)
	require.NoError(t, err)
	require.Len(t, files, 1)
	assert.Equal(t, "p/here.go", files[0].path)
}

func TestReasons(t *testing.T) {
	all := map[string]Reason{}
	text := "# comment\ncan.insert true `found`\ncan.insert false `found`\n\tequivalent: sorted already\n"
	require.NoError(t, parseReasons("can.txt", text, all))
	assert.Equal(t, Reason{Equivalent, "sorted already", "can.txt:4"}, all["can.insert true `found`"])
	assert.Len(t, all, 2)
	for _, bad := range []string{
		"can.insert true `found`\n", "\tequivalent: of what\n", "x\n\tmaybe: not\n",
		"x\n\tequivalent: a\nx\n\tequivalent: b\n",
	} {
		assert.Error(t, parseReasons("can.txt", bad, map[string]Reason{}), bad)
	}
}

// Each reason is about a mutant that there is, and that is not recorded to be killed.
func TestReasonsAreUpToDate(t *testing.T) {
	root, err := Root()
	require.NoError(t, err)
	reasons, err := ReadReasons(root)
	require.NoError(t, err)
	record, err := ReadRecord(root)
	require.NoError(t, err)
	sources, err := load(root)
	require.NoError(t, err)
	var all []Mutant
	for i := range sources {
		collect(&sources[i], &all)
	}
	there := map[string]bool{}
	for _, m := range all {
		there[m.Key()] = true
		if r, excused := reasons[m.Key()]; excused {
			verdict, known := record.Of(m)
			assert.False(t, known && verdict != Surviving, "%s: it is killed; drop the reason at %s", m.Key(), r.Place)
		}
	}
	for key, r := range reasons {
		assert.True(t, there[key], "%s: there is no mutant %s", r.Place, key)
	}
}

func TestShard(t *testing.T) {
	for _, bad := range []string{"0/2", "3/2", "x/2", "2", "1/"} {
		_, _, err := Pick{Shard: bad}.shard()
		assert.ErrorContains(t, err, strings.TrimSpace(bad))
	}
}
