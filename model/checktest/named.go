package checktest

import (
	"slices"
	"testing"

	"github.com/canvass-grid/canvass/model"
)

// Named returns the system of a name. If there is none, the test ends.
func Named(t testing.TB, systems []model.Checkable, name string) model.Checkable {
	t.Helper()
	at := slices.IndexFunc(systems, func(s model.Checkable) bool { return s.Info().Name == name })
	if at < 0 {
		t.Fatalf("there is no system %s", name)
		return nil
	}
	return systems[at]
}

// RunCounted checks the systems of a catalog that counts names, each as a separate test, and
// demands the numbers of [States].
func RunCounted(t *testing.T, systems []model.Checkable, counts map[string]uint64) {
	t.Helper()
	if len(counts) == 0 {
		t.Fatalf("there are no counts, so no system would be checked")
	}
	for name, states := range counts {
		t.Run(name, func(t *testing.T) { RunSystem(t, Named(t, systems, name), States(states)) })
	}
}
