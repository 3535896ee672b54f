package differ

import (
	"flag"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
)

// Run is the result of an engine on a cell.
type Run[S any] struct {
	Steps   []S                // in order; nil if only records are compared
	Records []scheduler.Record // by job, or by task
	Counts  any                // compared as a whole
}

// Engines draws cells and runs each on both engines. An engine fails by the T that it is given.
func Engines[C, S any](
	t *testing.T, cells int, draw func(*rapid.T) C, slow, fast func(*rapid.T, C) Run[S],
) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	require.NoError(t, checks.Value.Set(fmt.Sprint(cells)))
	defer func() { require.NoError(t, checks.Value.Set(before)) }()
	rapid.Check(t, func(t *rapid.T) {
		c := draw(t)
		want, got := slow(t, c), fast(t, c)
		if why := difference(want, got); why != "" {
			t.Fatalf("the engines differ: %s", why)
		}
	})
}

// difference describes the first difference; "" if there is none.
func difference[S any](want, got Run[S]) string {
	for i := range min(len(want.Steps), len(got.Steps)) {
		if !reflect.DeepEqual(want.Steps[i], got.Steps[i]) {
			return fmt.Sprintf("step %d is %+v, want %+v", i, got.Steps[i], want.Steps[i])
		}
	}
	if len(want.Steps) != len(got.Steps) {
		return fmt.Sprintf("%d steps, want %d", len(got.Steps), len(want.Steps))
	}
	for i := range min(len(want.Records), len(got.Records)) {
		if want.Records[i] != got.Records[i] {
			return fmt.Sprintf("record %d is %+v, want %+v", i, got.Records[i], want.Records[i])
		}
	}
	if len(want.Records) != len(got.Records) {
		return fmt.Sprintf("%d records, want %d", len(got.Records), len(want.Records))
	}
	if !reflect.DeepEqual(want.Counts, got.Counts) {
		return fmt.Sprintf("counts are %+v, want %+v", got.Counts, want.Counts)
	}
	return ""
}
