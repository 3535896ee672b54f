package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// Other systems, as the table names them.
const (
	slurm       = "Slurm"
	gridEngine  = "Grid Engine"
	gnuParallel = "GNU parallel -j4"
	mpirun      = "mpirun -n 4"
	etcd        = "etcd"
)

// packages are those of Debian that have the other systems.
const packages = "slurm-wlm munge gridengine-master gridengine-exec gridengine-client parallel openmpi-bin " +
	"etcd-server etcd-client"

// systems are systems that run during the measurements.
type systems struct {
	*trials.Trial
	turns   int
	install bool // the other systems
	daemons int  // of the large grid

	grid     *trials.Grid
	started  []*exec.Cmd
	slurm    []*exec.Cmd // its two nodes
	versions []string
	missing  []string
}

// begin installs the other systems, if that is wanted, and starts Slurm.
func (b *systems) begin() {
	b.versions = append(b.versions, b.Must("canvass version | head -1"))
	if b.install {
		b.Demand(os.Getuid() == 0, "only root can install the other systems: apt-get install %s", packages)
		b.Must("apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends %s",
			packages)
	}
	b.missing = append(b.missing, "P9: the recorder cannot be turned off", "P10: see make accept ITEM=21")
	b.startSlurm()
}

// measures lists all measures, ours before the others of the same kind.
func (b *systems) measures() []measure {
	all := slices.Concat(b.ours(), b.ofSlurm(), b.ofGridEngine())
	if b.has("parallel", "parallel --version | head -1") {
		const jobs = 200
		const line = "seq %d | parallel --will-cite -j4 true 2>/dev/null"
		all = append(all, measure{"P1", fmt.Sprintf("no-op jobs to the end, %d", jobs), gnuParallel, "jobs/s", half, false,
			func() []float64 { return []float64{jobs * 1000 / b.millis(b, line, jobs)} }},
			measure{"P8", "processor time of a job", gnuParallel, "ms", half, false,
				func() []float64 { return []float64{b.processorOf(line, jobs) / jobs} }})
	}
	if b.has("mpirun", "mpirun --version | head -1") {
		all = append(all, measure{"P4", "4 tasks, no-op", mpirun, "ms", half, false, func() []float64 {
			const line = "mpirun --allow-run-as-root --oversubscribe -n 4 true"
			return trials.Repeated(10, func() float64 { return b.millis(b, line) })
		}})
	}
	if b.etcd() {
		all = append(all, measure{"P2", "put to three members, whole command", etcd, "ms", percents(50, 99),
			false, func() []float64 {
				return trials.Repeated(submits, func() float64 {
					return b.millis(b, "ETCDCTL_API=3 etcdctl --endpoints=127.0.0.1:%d put key value >/dev/null", etcdPort)
				})
			}})
	}
	return all
}

// percents are values without a goal.
func percents(all ...int) (wants []want) {
	for _, p := range all {
		wants = append(wants, want{percent: p})
	}
	return wants
}

// processorOf is the processor time of a line of the shell, in milliseconds.
func (b *systems) processorOf(line string, args ...any) float64 {
	cmd := exec.CommandContext(b.Context, "sh", "-c", fmt.Sprintf(line, args...))
	err := cmd.Run()
	b.Demand(err == nil, "%s: %v", line, err)
	return float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Microseconds()) / 1000
}

// has notes the version of a program, if a command prints it, or that the program is not there.
func (b *systems) has(program, version string) bool {
	if _, err := exec.LookPath(program); err != nil {
		b.missing = append(b.missing, program+": skipped, not installed; make bench WHAT=daemons ARGS=-install, or "+
			"apt-get install "+packages)
		return false
	}
	if version != "" {
		b.versions = append(b.versions, b.Must("%s", version))
	}
	return true
}

const etcdPort = 42379

// etcd starts three members.
func (b *systems) etcd() bool {
	if !b.has("etcd", "etcd --version | head -1") || !b.has("etcdctl", "etcdctl version | head -1") {
		return false
	}
	var cluster []string
	for n := range 3 {
		cluster = append(cluster, fmt.Sprintf("m%d=http://127.0.0.1:%d", n, etcdPort+100+n))
	}
	for n := range 3 {
		own := fmt.Sprintf("http://127.0.0.1:%d", etcdPort+n)
		peer := fmt.Sprintf("http://127.0.0.1:%d", etcdPort+100+n)
		b.start(nil, "etcd", "--name", fmt.Sprintf("m%d", n), "--data-dir", filepath.Join(b.Folder, fmt.Sprintf("etcd%d", n)),
			"--listen-client-urls", own, "--advertise-client-urls", own, "--listen-peer-urls", peer,
			"--initial-advertise-peer-urls", peer, "--initial-cluster", strings.Join(cluster, ","))
	}
	b.Until(30*time.Second, "etcd", func() bool {
		return b.Sh("ETCDCTL_API=3 etcdctl --endpoints=127.0.0.1:%d put key value", etcdPort).Code == 0
	})
	return true
}

// start starts a daemon of another system, which ends with this program.
func (b *systems) start(as *syscall.Credential, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	err := cmd.Start()
	b.Demand(err == nil, "%s: %v", name, err)
	b.started = append(b.started, cmd)
	return cmd
}

func (b *systems) stop() {
	for _, cmd := range b.started {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	}
	for _, cmd := range b.started {
		_ = cmd.Wait()
	}
}
