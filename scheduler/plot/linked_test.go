package plot_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One font is linked: the whole family of gonum would add 4 MB to the program.
func TestOneFontIsLinked(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	text, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	var fonts []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "liberation") {
			fonts = append(fonts, strings.TrimSpace(line))
		}
	}
	assert.Equal(t, []string{"codeberg.org/go-fonts/liberation/liberationsansregular"}, fonts)
}
