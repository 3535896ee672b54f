package node_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
)

// Outputs are kept if at least one custodian has each of them. What no custodian has is offered
// again only if that may come to more.
func TestOutputsAreOfferedToAllCustodians(t *testing.T) {
	a, b, c := protocol.NodeID{Address: 1}, protocol.NodeID{Address: 2}, protocol.NodeID{Address: 3}
	decided := func(answers func(o *node.Offer)) (unkept []int, again bool, lacking jobs.Custodians) {
		o := node.NewOffer(2)
		answers(o)
		return o.Decided()
	}
	unkept, _, lacking := decided(func(o *node.Offer) {
		o.Answered(a, true, 0, 1)
		o.Silent(b)
		o.Answered(c, true)
	})
	assert.Empty(t, unkept, "C has both")
	assert.Equal(t, jobs.Custodians{1, 2}, lacking)

	unkept, again, lacking := decided(func(o *node.Offer) {
		o.Answered(a, true, 0)
		o.Answered(b, false, 0, 1)
	})
	assert.Equal(t, []int{0}, unkept)
	assert.True(t, again, "A has no room yet")
	assert.Equal(t, jobs.Custodians{2}, lacking)

	unkept, again, _ = decided(func(o *node.Offer) { o.Answered(a, false, 1) })
	assert.Equal(t, []int{1}, unkept)
	assert.False(t, again, "it has changed, say")

	unkept, again, _ = decided(func(*node.Offer) {})
	assert.Equal(t, []int{0, 1}, unkept, "nobody has answered")
	assert.True(t, again)
}

// A host reports each output that it can read, names the others, and says which patterns match
// none.
func TestWhatAHostReportsOfOutputs(t *testing.T) {
	folder := t.TempDir()
	for i := range jobs.FilesLimit + 1 {
		require.NoError(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("f%04d", i)), nil, 0o600))
	}
	told := node.Collected(folder, "f*", "none")
	assert.Len(t, told.Outputs, jobs.FilesLimit)
	assert.Equal(t, `output "f1000" is not kept: the content is too large: more than 1000 files`, told.Problem)
	assert.Equal(t, []string{`no file matches the output "none"`}, told.Remarks)

	long := t.TempDir()
	for i := range 900 {
		name := fmt.Sprintf("%0200d", i)
		require.NoError(t, os.WriteFile(filepath.Join(long, name), nil, 0o600))
	}
	told = node.Collected(long, "**")
	assert.Equal(t, 900, len(told.Outputs)+len(told.Unkept)+told.UnkeptMore)
	assert.Contains(t, told.Problem, "the list of outputs is too long")

	bytes := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bytes, "b\xe9"), []byte("x"), 0o600))
	told = node.Collected(bytes, "**")
	require.Empty(t, told.Problem)
	assert.Equal(t, verbatim.Text("b\xe9"), told.Outputs[0].Path)
}
