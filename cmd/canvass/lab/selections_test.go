package lab_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/cmd/canvass/lab"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// Help and the document list every step, in the same words.
func TestStepsAreInHelpAndDocument(t *testing.T) {
	document, err := os.ReadFile("../../../docs/scheduling.md")
	require.NoError(t, err)
	require.NotEmpty(t, workload.Steps())
	for _, s := range workload.Steps() {
		assert.Contains(t, lab.Selections(), "  "+s.Form+" ")
		assert.Contains(t, lab.Selections(), s.Doc)
		assert.Contains(t, string(document), fmt.Sprintf("| `%s` | %s |\n", s.Form, s.Doc))
	}
}
