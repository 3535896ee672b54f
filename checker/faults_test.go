package checker_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/share"
)

// faultyBuild is set in the environment of the tests of a broken engine, so that they do not start
// others.
const faultyBuild = "CHECKER_FAULTY_BUILD"

// A broken engine fails the tests. With one tag it loses one successor in some thousands, with the
// other the caches do not compare keys.
func TestABrokenEngineIsCaught(t *testing.T) {
	if testing.Short() || os.Getenv(faultyBuild) != "" {
		t.Skip("builds the engine again")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go tool")
	}
	type fault struct{ tag, test string }
	some, err := share.Of([]fault{
		{"fault_lost", "TestTwoPhaseCommitCounts"}, {"fault_stale", "TestCarouselCounts"},
		{"fault_lost", "TestFollowsTheSequentialSearch"}, {"fault_stale", "TestMemoRemembers"},
		{"fault_lost", "TestEveryStorageCountsAlike"}, {"fault_stale", "TestEveryStorageCountsAlike"},
	})
	require.NoError(t, err)
	for _, f := range some {
		cmd := exec.Command(goTool, "test", "-short", "-rapid.nofailfile", "-tags", f.tag, "-run", "^"+f.test+"$", ".")
		cmd.Env = append(os.Environ(), faultyBuild+"=1")
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%s passes with an engine built with tag %s", f.test, f.tag)
		assert.Contains(t, string(out), "--- FAIL: "+f.test, "%s: it must fail, not merely not compile", f.tag)
	}
}
