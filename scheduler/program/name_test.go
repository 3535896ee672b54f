package program_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/program"
)

// The digest is that of the files that the name has in it, and changes with them.
func TestDigest(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string, mode os.FileMode) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), mode))
	}
	write("mine.py", "#!/bin/sh\n", 0o755)
	write("table", "1 2 3\n", 0o644)
	resolved := func(name string) string {
		full, err := program.Resolve(name)
		require.NoError(t, err)
		return full
	}
	of := func(text string) string { return fmt.Sprintf("@%x", sha256.Sum256([]byte(text)))[:17] }
	assert.Equal(t, "exec:./mine.py"+of("#!/bin/sh\n"), resolved("exec:./mine.py"))
	assert.Equal(t, "exec:./mine.py"+of("#!/bin/sh\n"), resolved(resolved("exec: ./mine.py ")), "again")
	assert.Equal(t, "exec:./mine.py --of table"+of("#!/bin/sh\n1 2 3\n"), resolved("exec:./mine.py  --of table"))
	assert.Equal(t, "exec:sh table"+of("1 2 3\n"), resolved("exec:sh table"), "sh is in the search path")
	assert.Equal(t, "easy", resolved("easy"))
	assert.Equal(t, []string{"./mine.py", "table"}, program.Files("exec:./mine.py table"+of("")))
	assert.Empty(t, program.Files("easy"))

	before := resolved("exec:./mine.py")
	write("mine.py", "#!/bin/sh\n:\n", 0o755)
	_, err := program.Resolve(before)
	require.ErrorContains(t, err, "the program has changed, its digest is "+of("#!/bin/sh\n:\n")[1:]+" now; leave out @")
	for name, want := range map[string]string{
		"exec:":             `policy "exec:" names no program; write exec:./mine.py`,
		"exec:./none":       `no such file or directory; name an existing program`,
		"exec:no-such-tool": `executable file not found in $PATH; name an existing program, with its folder`,
		"exec:./table":      `./table may not be executed: chmod +x ./table; name`,
	} {
		_, err := program.Resolve(name)
		require.ErrorContains(t, err, want)
	}
}
