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

	"github.com/canvass-grid/canvass/internal/trials"
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

func (b *systems) conf() string { return "SLURM_CONF=" + filepath.Join(b.Folder, "slurm.conf") }

// startSlurm starts a controller and two nodes, or notes why they are missing.
func (b *systems) startSlurm() {
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
	b.Must("mkdir -p state spool-c1 spool-c2")
	text := fmt.Sprintf(slurmConf, b.Folder)
	b.Demand(os.WriteFile(filepath.Join(b.Folder, "slurm.conf"), []byte(text), 0o644) == nil, "slurm.conf")
	b.Must("chmod 755 .")
	uid, err := strconv.ParseUint(munge.Uid, 10, 32)
	b.Demand(err == nil, "%v", err)
	gid, err := strconv.ParseUint(munge.Gid, 10, 32)
	b.Demand(err == nil, "%v", err)
	b.Must("install -d -o munge -g munge /run/munge") // a service manager makes it elsewhere
	b.start(&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, "munged", "--force", "--foreground")
	b.Until(20*time.Second, "munged", func() bool { return b.Sh("munge -n").Code == 0 })
	b.start(nil, "slurmctld", "-D", "-f", filepath.Join(b.Folder, "slurm.conf"))
	nodes := []*exec.Cmd{b.slurmd("c1"), b.slurmd("c2")}
	if !b.Within(30*time.Second, func() bool { return b.Sh("%s timeout 5 srun -N2 true", b.conf()).Code == 0 }) {
		b.missing = append(b.missing, "Slurm: srun does not run within 30 s: "+b.Sh("%s sinfo", b.conf()).String())
		return
	}
	b.slurm = nodes
}

func (b *systems) slurmd(node string) *exec.Cmd {
	return b.start(nil, "slurmd", "-D", "-N", node, "-f", filepath.Join(b.Folder, "slurm.conf"))
}

// ofSlurm lists the measures of Slurm.
func (b *systems) ofSlurm() []measure {
	if b.slurm == nil {
		return nil
	}
	const idle = "while %s squeue -h | grep -q .; do sleep 0.1; done"
	return []measure{
		{"P1", "no-op jobs to the end, an array of 20", slurm, "jobs/s", half, false, func() []float64 {
			return []float64{20 * 1000 / b.millis(b, "%s sbatch -o /dev/null --array=0-19 --wrap true >/dev/null && "+idle,
				b.conf(), b.conf())}
		}},
		{"P2", "sbatch, whole command", slurm, "ms", percents(50, 99), false, func() []float64 {
			took := trials.Repeated(submits, func() float64 {
				return b.millis(b, "%s sbatch -o /dev/null --wrap true >/dev/null", b.conf())
			})
			b.Must("%s scancel -u root; "+idle, b.conf(), b.conf())
			return took
		}},
		{"P3", "first instruction after srun -n1", slurm, "ms", percents(50, 99), false, func() []float64 {
			return trials.Repeated(starts, func() float64 { return b.firstInstruction(b, b.conf()+" srun -n1") })
		}},
		{"P4", "srun -n2, no-op", slurm, "ms", half, false, func() []float64 {
			return trials.Repeated(10, func() float64 { return b.millis(b, "%s srun -n2 true", b.conf()) })
		}},
		{"P5", "slurmd: resident memory", slurm, "MiB", half, true,
			func() []float64 { return trials.ResidentMiB("slurmd -D -N c") }},
		{"P6", "kill -9 of a node, no restart: until its job runs again", slurm, "s", half, false, b.slurmNodeKilled},
	}
}

// slurmNodeKilled is how long it takes until the job of a node of Slurm that is killed runs again,
// or nothing if that takes too long.
func (b *systems) slurmNodeKilled() []float64 {
	const job = "slurm"
	const limit = 3 * time.Minute
	before := len(b.Recorded().Attempts(job))
	beat := "CANVASS_JOB=" + job + " CANVASS_ATTEMPT=$SLURM_JOB_ID-$SLURM_RESTART_COUNT CANVASS_RANK=0 CANVASS_SIZE=1 " +
		"CANVASS_HOST=$SLURMD_NODENAME " + b.Beats(time.Hour) + " slurm-$SLURMD_NODENAME"
	id := b.Must("%s sbatch --parsable --requeue -o /dev/null --wrap '"+beat+"'", b.conf())
	b.Until(time.Minute, "running in Slurm", func() bool { return len(b.Recorded().Attempts(job)) > before })
	node := b.Must("%s squeue -h -j %s -o %%N", b.conf(), id)
	at := 0
	if node == "c2" {
		at = 1
	}
	begin := time.Now()
	_ = b.slurm[at].Process.Kill()
	spool := filepath.Join(b.Folder, "spool-"+node)
	for _, text := range []string{"slurmstepd: [" + id + ".", spool + "/job", " slurm-" + node} {
		for _, p := range trials.WithText(text) {
			_ = syscall.Kill(p.PID, syscall.SIGKILL) // it may have ended
		}
	}
	again := b.Within(limit, func() bool { return len(b.Recorded().Attempts(job)) > before+1 })
	took := time.Since(begin).Seconds()
	b.Must("%s scancel %s", b.conf(), id)
	b.slurm[at] = b.slurmd(node)
	b.Within(limit, func() bool { return b.Sh("%s timeout 5 srun -N2 true", b.conf()).Code == 0 })
	if !again {
		b.missing = append(b.missing, fmt.Sprintf("P6 of Slurm: its job did not run again within %v", limit))
		return nil
	}
	return []float64{took}
}
