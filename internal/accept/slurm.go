package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// slurmConf is the settings of Slurm: two nodes on a plain machine, and a scheduler that does not
// wait.
const slurmConf = `ClusterName=c
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation=%[1]s/state
SlurmdSpoolDir=%[1]s/spool-%%n
SlurmctldPidFile=%[1]s/ctld.pid
SlurmdPidFile=%[1]s/slurmd-%%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
ReturnToService=2
SlurmdTimeout=10
KillWait=1
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1,default_queue_depth=1000
NodeName=c[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[17501-17502] CPUs=2
PartitionName=p Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:4
`

func (b *benches) conf() string { return "SLURM_CONF=" + filepath.Join(b.folder, "slurm.conf") }

// startSlurm starts a controller and two nodes, or notes why there are none.
func (b *benches) startSlurm() {
	if os.Getuid() != 0 {
		b.missing = append(b.missing, "Slurm: skipped, only root starts its daemons")
		return
	}
	if !b.has("slurmctld", "slurmctld -V") || !b.has("munged", "munged --version") {
		return
	}
	munge, err := user.Lookup("munge")
	if err != nil {
		b.missing = append(b.missing, "Slurm: skipped, no user munge")
		return
	}
	b.must(nil, "mkdir -p state spool-c1 spool-c2")
	text := fmt.Sprintf(slurmConf, b.folder)
	b.demand(os.WriteFile(filepath.Join(b.folder, "slurm.conf"), []byte(text), 0o644) == nil, "slurm.conf")
	b.must(nil, "chmod 755 .")
	uid, err := strconv.ParseUint(munge.Uid, 10, 32)
	b.demand(err == nil, "%v", err)
	gid, err := strconv.ParseUint(munge.Gid, 10, 32)
	b.demand(err == nil, "%v", err)
	b.must(nil, "install -d -o munge -g munge /run/munge") // a service manager makes it elsewhere
	b.start(&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, "munged", "--force", "--foreground")
	b.until(20*time.Second, "munged", func() bool { return b.sh(nil, "munge -n").code == 0 })
	b.start(nil, "slurmctld", "-D", "-f", filepath.Join(b.folder, "slurm.conf"))
	nodes := []*exec.Cmd{b.slurmd("c1"), b.slurmd("c2")}
	if !b.within(30*time.Second, func() bool { return b.sh(nil, "%s timeout 5 srun -N2 true", b.conf()).code == 0 }) {
		b.missing = append(b.missing, "Slurm: srun does not run within 30 s: "+b.sh(nil, "%s sinfo", b.conf()).String())
		return
	}
	b.slurm = nodes
}

func (b *benches) slurmd(node string) *exec.Cmd {
	return b.start(nil, "slurmd", "-D", "-N", node, "-f", filepath.Join(b.folder, "slurm.conf"))
}

// within waits until something holds, and reports whether it does in time.
func (b *benches) within(limit time.Duration, holds func() bool) bool {
	for begin := time.Now(); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > limit || b.ctx.Err() != nil {
			return false
		}
	}
	return true
}

// ofSlurm is what is measured of Slurm.
func (b *benches) ofSlurm() []measure {
	if b.slurm == nil {
		return nil
	}
	const idle = "while %s squeue -h | grep -q .; do sleep 0.1; done"
	return []measure{
		{"P1", "no-op jobs to the end, an array of 20", slurm, "jobs/s", half, false, func() []float64 {
			return []float64{20 * 1000 / b.millis(nil, "%s sbatch -o /dev/null --array=0-19 --wrap true >/dev/null && "+idle,
				b.conf(), b.conf())}
		}},
		{"P2", "sbatch, whole command", slurm, "ms", percents(50, 99), false, func() []float64 {
			took := repeated(submits, func() float64 {
				return b.millis(nil, "%s sbatch -o /dev/null --wrap true >/dev/null", b.conf())
			})
			b.must(nil, "%s scancel -u root; "+idle, b.conf(), b.conf())
			return took
		}},
		{"P3", "first instruction after srun -n1", slurm, "ms", percents(50, 99), false, func() []float64 {
			return repeated(starts, func() float64 { return b.firstInstruction(nil, b.conf()+" srun -n1") })
		}},
		{"P4", "srun -n2, no-op", slurm, "ms", half, false, func() []float64 {
			return repeated(10, func() float64 { return b.millis(nil, "%s srun -n2 true", b.conf()) })
		}},
		{"P5", "slurmd: resident memory", slurm, "MiB", half, true,
			func() []float64 { return b.residents("slurmd -D -N c") }},
		{"P6", "kill -9 of a node, no restart: until its job runs again", slurm, "s", half, false, b.slurmNodeKilled},
	}
}

// slurmNodeKilled is how long it takes until the job of a node of Slurm that is killed runs again,
// or nothing if that takes too long.
func (b *benches) slurmNodeKilled() []float64 {
	const rank = "slurm 0"
	const limit = 3 * time.Minute
	before := len(b.ledger()[rank])
	beat := "while :; do echo slurm $SLURM_JOB_ID-$SLURM_RESTART_COUNT 0 $(date +%%s%%N) >> " + b.ledgerFile() +
		"; sleep 0.02; done"
	id := b.must(nil, "%s sbatch --parsable --requeue -o /dev/null --wrap '"+beat+"'", b.conf())
	b.until(time.Minute, "running in Slurm", func() bool { return len(b.ledger()[rank]) > before })
	node := b.must(nil, "%s squeue -h -j %s -o %%N", b.conf(), id)
	at := 0
	if node == "c2" {
		at = 1
	}
	begin := time.Now()
	_ = b.slurm[at].Process.Kill()
	for _, text := range []string{"slurmstepd: [" + id + ".", filepath.Join(b.folder, "spool-"+node) + "/job"} {
		for _, p := range processes(text) {
			_ = syscall.Kill(p, syscall.SIGKILL) // it may have ended
		}
	}
	again := b.within(limit, func() bool { return len(b.ledger()[rank]) > before+1 })
	took := time.Since(begin).Seconds()
	b.must(nil, "%s scancel %s", b.conf(), id)
	b.slurm[at] = b.slurmd(node)
	b.within(limit, func() bool { return b.sh(nil, "%s timeout 5 srun -N2 true", b.conf()).code == 0 })
	if !again {
		b.missing = append(b.missing, fmt.Sprintf("P6 of Slurm: its job did not run again within %v", limit))
		return nil
	}
	return []float64{took}
}
