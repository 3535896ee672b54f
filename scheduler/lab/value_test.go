package lab_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Numbers that some runs do not have are named, too, and what is no number is not.
func TestNumbersAreAllThatRowsMayHave(t *testing.T) {
	all := lab.Numbers()
	for _, measured := range []reflect.Type{
		reflect.TypeFor[metric.Summary](), reflect.TypeFor[cluster.Quality](),
	} {
		for i := range measured.NumField() {
			f := measured.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Type == reflect.TypeFor[*float64]() {
				assert.Contains(t, all, name)
			}
		}
	}
	assert.Contains(t, all, "mean_wait_seconds")
	for _, no := range []string{"by_size", "excluded_jobs", "trim", "mode_shape"} {
		assert.NotContains(t, all, no)
	}
}
