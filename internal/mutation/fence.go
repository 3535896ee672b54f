package mutation

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// fenced are the packages whose tests start and kill processes and remove folders. A mutant may
// kill or remove others, so their tests see no process of the machine and can write nowhere but in
// a folder of their own.
var fenced = []string{"daemon/life", "daemon/node", "daemon/runner", "daemon/runner/procs", "daemon/runner/shim"}

// fence makes the machine read-only but for one folder, before it becomes the tests. Their
// processes get other numbers than those in PID namespaces of their own, as on a whole machine.
const fence = `mount --bind "$TMPDIR" "$TMPDIR" && mount -o remount,bind,ro / &&
	{ echo 20000 > /proc/sys/kernel/ns_last_pid; } && exec "$@"`

// command is a run of a test binary. It writes into a separate folder.
func (t *testBinary) command(scratch string, args ...string) *exec.Cmd {
	if !slices.Contains(fenced, t.name) {
		return exec.Command(t.binary, args...)
	}
	return fencedOff(scratch, append([]string{t.binary}, args...)...)
}

func fencedOff(scratch string, words ...string) *exec.Cmd {
	all := []string{"--pid", "--fork", "--kill-child", "--mount", "--mount-proc"}
	if os.Geteuid() != 0 {
		all = append(all, "--map-root-user")
	}
	cmd := exec.Command("unshare", append(append(all, "sh", "-c", fence, "sh"), words...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+scratch)
	return cmd
}

// withoutHarm leaves out mutants that could harm the machine where their tests cannot be fenced
// off.
func withoutHarm(mutants []Mutant, scratch string, log io.Writer) []Mutant {
	harmful := func(m Mutant) bool { return slices.Contains(fenced, m.Package) }
	if !slices.ContainsFunc(mutants, harmful) {
		return mutants
	}
	out, err := fencedOff(scratch, "true").CombinedOutput()
	if err == nil {
		return mutants
	}
	fmt.Fprintf(log, "mutants of %s are left out, since unshare cannot fence off their tests here: %v %s\n",
		strings.Join(fenced, ", "), err, out)
	return slices.DeleteFunc(slices.Clone(mutants), harmful)
}
