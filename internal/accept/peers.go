package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// benches are systems that run during the measurements.
type benches struct {
	*trial
	grid     *grid
	started  []*exec.Cmd
	slurm    bool
	versions []string
	missing  []string
}

const noOps = 60

// measures are what is measured, ours before the others of the same kind.
func (b *benches) measures() []measure {
	g := b.grid
	all := []measure{
		{"P1", "no-op jobs to the end, an array of 60", "canvass", "jobs/s", func() float64 {
			return noOps * 1000 / b.millis(g, "canvass wait $(canvass submit --array 0-%d -- true)", noOps-1)
		}},
		{"P2", "submit, whole command, median of 20", "canvass", "ms", func() float64 {
			return percentile(20, 50, func() float64 { return b.millis(g, "canvass submit -- true") })
		}},
		{"P3", "first instruction after run, median of 10", "canvass run", "ms", func() float64 {
			b.settle()
			return percentile(10, 50, func() float64 { return b.firstInstruction(g, "canvass run --") })
		}},
		{"P4", "4 tasks, no-op, median of 5", "canvass run -k 4", "ms", func() float64 {
			return percentile(5, 50, func() float64 { return b.millis(g, "canvass run -k 4 -- true") })
		}},
		{"P8", "processor time of daemons and shims for a job", "canvass", "ms", func() float64 {
			before := b.processorMillis()
			b.must(g, "canvass wait $(canvass submit --array 0-%d -- true)", noOps-1)
			return (b.processorMillis() - before) / noOps
		}},
	}
	all = append(all, b.faults()...)
	if b.slurm {
		all = append(all,
			measure{"P1", "no-op jobs to the end, an array of 20", "Slurm", "jobs/s", func() float64 {
				return 20 * 1000 / b.millis(nil, "%s sbatch -o /dev/null --array=0-19 --wrap true >/dev/null && "+
					"while %s squeue -h | grep -q .; do sleep 0.1; done", b.conf(), b.conf())
			}},
			measure{"P2", "sbatch, whole command, median of 20", "Slurm", "ms", func() float64 {
				took := percentile(20, 50, func() float64 {
					return b.millis(nil, "%s sbatch -o /dev/null --wrap true >/dev/null", b.conf())
				})
				b.must(nil, "%s scancel -u root; while %s squeue -h | grep -q .; do sleep 0.1; done", b.conf(), b.conf())
				return took
			}},
			measure{"P3", "first instruction after srun, median of 10", "Slurm srun -n1", "ms", func() float64 {
				return percentile(10, 50, func() float64 { return b.firstInstruction(nil, b.conf()+" srun -n1") })
			}},
			measure{"P4", "2 tasks, no-op, median of 5", "Slurm srun -n2", "ms", func() float64 {
				return percentile(5, 50, func() float64 { return b.millis(nil, "%s srun -n2 true", b.conf()) })
			}})
	}
	if b.has("parallel", "parallel --version | head -1") {
		all = append(all, measure{"P1", "no-op jobs to the end, 200", "GNU parallel -j4", "jobs/s", func() float64 {
			return 200 * 1000 / b.millis(nil, "seq 200 | parallel --will-cite -j4 true 2>/dev/null")
		}})
	}
	if b.has("mpirun", "mpirun --version | head -1") {
		all = append(all, measure{"P4", "4 tasks, no-op, median of 5", "mpirun -n 4", "ms", func() float64 {
			return percentile(5, 50, func() float64 {
				return b.millis(nil, "mpirun --allow-run-as-root --oversubscribe -n 4 true")
			})
		}})
	}
	if b.etcd() {
		all = append(all, measure{"P2", "put to three members, whole command, median of 20", "etcd", "ms", func() float64 {
			return percentile(20, 50, func() float64 {
				return b.millis(nil, "ETCDCTL_API=3 etcdctl --endpoints=127.0.0.1:%d put key value >/dev/null", etcdPort)
			})
		}})
	}
	return all
}

// faults are what is measured of daemons that are killed and stopped.
func (b *benches) faults() []measure {
	again := func(id string, host int) {
		b.sh(b.grid, "canvass cancel %s", id) // it may have ended
		b.start(nil, b.binary, "agent", "--data", b.grid.data(host), "--shutdown-deadline", "0s")
		b.whole(b.grid, 4)
	}
	return []measure{
		{"P6", "kill -9 of a host, no restart: until its job runs again", "canvass", "s", func() float64 {
			id, host := b.elsewhere(b.grid)
			begin := time.Now()
			b.grid.signal(host, syscall.SIGKILL)
			time.Sleep(time.Second)
			b.until(2*time.Minute, "running again", func() bool { return b.lastBeat() < 200*time.Millisecond })
			took := time.Since(begin).Seconds()
			again(id, host)
			return took
		}},
		{"P7", "SIGSTOP of a daemon: until its job is dead", "canvass", "s", func() float64 {
			id, host := b.elsewhere(b.grid)
			begin := time.Now()
			b.grid.signal(host, syscall.SIGSTOP)
			var last time.Time
			b.until(time.Minute, "dead", func() bool {
				last = b.firstAttempt(id)
				return time.Since(last) > time.Second
			})
			took := last.Sub(begin)
			b.grid.signal(host, syscall.SIGCONT)
			time.Sleep(3 * time.Second) // it ends, and dev starts it again if it is a child of dev
			if b.count("agent --data "+b.grid.data(host)) == 0 {
				b.start(nil, b.binary, "agent", "--data", b.grid.data(host), "--shutdown-deadline", "0s")
			}
			b.sh(b.grid, "canvass cancel %s", id) // it may have ended
			b.whole(b.grid, 4)
			return took.Seconds()
		}},
	}
}

// settle waits until no job is left.
func (b *benches) settle() {
	b.until(time.Minute, "idle", func() bool {
		return !strings.Contains(b.must(b.grid, "canvass status"), "accepted") &&
			!strings.Contains(b.must(b.grid, "canvass status"), "queued")
	})
}

// firstInstruction is how long it takes until a command runs.
func (b *benches) firstInstruction(g *grid, prefix string) float64 {
	begin := time.Now().UnixNano()
	at, err := strconv.ParseInt(b.must(g, "%s date +%%s%%N", prefix), 10, 64)
	b.demand(err == nil, "%v", err)
	return float64(at-begin) / 1e6
}

// has notes the version of a program, or that it is not there.
func (b *benches) has(program, version string) bool {
	if _, err := exec.LookPath(program); err != nil {
		b.missing = append(b.missing, program+": not installed (Debian: slurm-wlm munge parallel openmpi-bin etcd)")
		return false
	}
	b.versions = append(b.versions, b.must(nil, "%s", version))
	return true
}

// begin starts the other systems.
func (b *benches) begin() {
	b.versions = append(b.versions, b.must(nil, "canvass version | head -1"))
	if os.Getuid() != 0 {
		b.missing = append(b.missing, "Slurm: its daemons are started by root only")
		return
	}
	if !b.has("slurmctld", "slurmctld -V") || !b.has("munged", "munged --version") {
		return
	}
	b.slurm = b.startSlurm()
}

func (b *benches) conf() string { return "SLURM_CONF=" + filepath.Join(b.folder, "slurm.conf") }

// slurmConf is the settings of Slurm: a plain machine, and a scheduler that does not wait.
const slurmConf = `ClusterName=c
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation=%[1]s/state
SlurmdSpoolDir=%[1]s/spool
SlurmctldPidFile=%[1]s/ctld.pid
SlurmdPidFile=%[1]s/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1,default_queue_depth=1000
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2
PartitionName=p Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:4
`

func (b *benches) startSlurm() bool {
	munge, err := user.Lookup("munge")
	if err != nil {
		b.missing = append(b.missing, "Slurm: no user munge")
		return false
	}
	b.must(nil, "mkdir -p state spool")
	text := fmt.Sprintf(slurmConf, b.folder)
	b.demand(os.WriteFile(filepath.Join(b.folder, "slurm.conf"), []byte(text), 0o644) == nil, "slurm.conf")
	b.must(nil, "chmod 755 .")
	uid, err := strconv.ParseUint(munge.Uid, 10, 32)
	b.demand(err == nil, "%v", err)
	gid, err := strconv.ParseUint(munge.Gid, 10, 32)
	b.demand(err == nil, "%v", err)
	b.start(&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, "munged", "--force", "--foreground")
	b.until(20*time.Second, "munged", func() bool { return b.sh(nil, "munge -n").code == 0 })
	b.start(nil, "slurmctld", "-D", "-f", filepath.Join(b.folder, "slurm.conf"))
	b.start(nil, "slurmd", "-D", "-N", "localhost", "-f", filepath.Join(b.folder, "slurm.conf"))
	begin := time.Now()
	for time.Since(begin) < 30*time.Second {
		if b.sh(nil, "%s timeout 5 srun -n1 true", b.conf()).code == 0 {
			return true
		}
		time.Sleep(200 * time.Millisecond)
	}
	b.missing = append(b.missing, "Slurm: srun does not run within 30 s: "+b.sh(nil, "%s sinfo", b.conf()).String())
	return false
}

const etcdPort = 42379

// etcd starts three members.
func (b *benches) etcd() bool {
	if !b.has("etcd", "etcd --version | head -1") {
		return false
	}
	var cluster []string
	for n := range 3 {
		cluster = append(cluster, fmt.Sprintf("m%d=http://127.0.0.1:%d", n, etcdPort+100+n))
	}
	for n := range 3 {
		own := fmt.Sprintf("http://127.0.0.1:%d", etcdPort+n)
		peer := fmt.Sprintf("http://127.0.0.1:%d", etcdPort+100+n)
		b.start(nil, "etcd", "--name", fmt.Sprintf("m%d", n), "--data-dir", filepath.Join(b.folder, fmt.Sprintf("etcd%d", n)),
			"--listen-client-urls", own, "--advertise-client-urls", own, "--listen-peer-urls", peer,
			"--initial-advertise-peer-urls", peer, "--initial-cluster", strings.Join(cluster, ","))
	}
	b.until(30*time.Second, "etcd", func() bool {
		return b.sh(nil, "ETCDCTL_API=3 etcdctl --endpoints=127.0.0.1:%d put key value", etcdPort).code == 0
	})
	return true
}

// start starts a daemon of another system, which ends with this program.
func (b *benches) start(as *syscall.Credential, name string, args ...string) {
	cmd := exec.Command(name, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	err := cmd.Start()
	b.demand(err == nil, "%s: %v", name, err)
	b.started = append(b.started, cmd)
}

func (b *benches) stop() {
	for _, cmd := range b.started {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	}
	for _, cmd := range b.started {
		_ = cmd.Wait()
	}
}
