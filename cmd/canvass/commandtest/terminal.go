package commandtest

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/cli"
)

// columns is the width of the terminal.
const columns = 80

// Fits demands that no line of an output is wider than a terminal. It returns the output on the
// terminal, and the output elsewhere.
func Fits(t *testing.T, write func(*cli.Output) error) (narrow, whole string) {
	t.Helper()
	var onTerminal, elsewhere bytes.Buffer
	out := cli.NewOutput(&onTerminal)
	out.Resize(columns)
	require.NoError(t, write(out))
	require.NoError(t, write(cli.NewOutput(&elsewhere)))
	for line := range strings.Lines(onTerminal.String()) {
		assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), columns, "%s", line)
	}
	return onTerminal.String(), elsewhere.String()
}
