package checker_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faultyBuild is set in the environment of the tests of a broken engine, so that they do not start
// others.
const faultyBuild = "CHECKER_FAULTY_BUILD"

// A broken engine fails the tests. With one tag it loses one successor in some thousands, with the
// other the caches do not compare keys.
func TestABrokenEngineIsCaught(t *testing.T) {
	if testing.Short() || os.Getenv(faultyBuild) != "" {
		t.Skip("builds the engine anew")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go tool")
	}
	for tag, tests := range map[string][]string{
		"fault_lost":  {"TestTwoPhaseCommitCounts", "TestFollowsTheSequentialSearch", "TestEveryStorageCountsAlike"},
		"fault_stale": {"TestCarouselCounts", "TestEveryStorageCountsAlike", "TestMemoRemembers"},
	} {
		for _, test := range tests {
			cmd := exec.Command(goTool, "test", "-short", "-rapid.nofailfile", "-tags", tag, "-run", "^"+test+"$", ".")
			cmd.Env = append(os.Environ(), faultyBuild+"=1")
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "%s passes with an engine built with tag %s", test, tag)
			assert.Contains(t, string(out), "--- FAIL: "+test, "%s: it must fail, not merely not compile", tag)
		}
	}
}
