package usage_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/internal/usage"
)

// A deficiency of this machine is no mistake on the command line.
func TestErrorsOfTheMachineAreNoMistakes(t *testing.T) {
	_, missing := os.Open("not there")
	_, refused := net.Dial("unix", "not there")
	for _, err := range []error{missing, refused, fs.ErrNotExist} {
		got := usage.Errorf("--from %s: %v", "x", err)
		assert.EqualError(t, got, "--from x: "+err.Error())
		assert.ErrorIs(t, got, err)
		mistake := (*usage.Error)(nil)
		assert.False(t, errors.As(got, &mistake))
	}
	for _, err := range []error{usage.Errorf("--n %d: want 1", 7), usage.Errorf("--n: %v", errors.New("no number"))} {
		mistake := (*usage.Error)(nil)
		assert.True(t, errors.As(err, &mistake))
	}
}
