package tasks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
)

// collecting is a host with one folder.
type collecting struct {
	host.Host
	folder string
}

func (c collecting) Collect(ctx context.Context, _ string, wanted blobs.Wanted) blobs.Found {
	return blobs.Collect(ctx, c.folder, wanted)
}

// collected returns the report of a host about the outputs in a folder.
func collected(folder string, patterns ...string) (told jobs.Rank) {
	collect(context.Background(), collecting{folder: folder}, "", patterns, &told)
	return told
}

// A host reports each output that it can read, names the others, and says which patterns match
// none.
func TestWhatAHostReportsOfOutputs(t *testing.T) {
	folder := t.TempDir()
	for i := range jobs.FilesLimit + 1 {
		require.NoError(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("f%04d", i)), nil, 0o600))
	}
	told := collected(folder, "f*", "none")
	assert.Len(t, told.Outputs, jobs.FilesLimit)
	assert.Equal(t, `output "f1000" is not kept: the content is too large: more than 1000 files`, told.Problem)
	assert.Equal(t, []string{`no file matches the output "none"`}, told.Remarks)

	long := t.TempDir()
	for i := range 900 {
		name := fmt.Sprintf("%0200d", i)
		require.NoError(t, os.WriteFile(filepath.Join(long, name), nil, 0o600))
	}
	told = collected(long, "**")
	assert.Equal(t, 900, len(told.Outputs)+len(told.Unkept)+told.UnkeptMore)
	assert.Contains(t, told.Problem, "the list of outputs is too long")

	bytes := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bytes, "b\xe9"), []byte("x"), 0o600))
	told = collected(bytes, "**")
	require.Empty(t, told.Problem)
	assert.Equal(t, verbatim.Text("b\xe9"), told.Outputs[0].Path)
}
