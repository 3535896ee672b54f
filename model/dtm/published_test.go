package dtm

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// Exactly the expected violations of the published core are found.
func TestPublishedVerdicts(t *testing.T) {
	for _, m := range Published() {
		info := m.Info()
		t.Run(info.Name, func(t *testing.T) {
			report, err := checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: true})
			require.NoError(t, err)
			declared := map[string]bool{}
			for _, e := range info.Expected {
				declared[e.Property] = true
				assert.NotEmpty(t, e.Why)
			}
			for _, o := range report.Outcomes {
				want := checker.Holds
				if declared[o.Property.Name] {
					want = checker.Violated
				}
				assert.Equal(t, want, o.Verdict, o.Property.Name)
			}
		})
	}
}
