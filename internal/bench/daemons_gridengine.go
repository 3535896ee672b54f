package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// gridEngineEdits are the settings of Grid Engine, made by an editor of the texts of its commands:
// one machine, on which root may submit jobs, and a scheduler that runs soon.
const gridEngineEdits = `#!/bin/sh
exec sed -i 's/^pe_list .*/pe_list NONE/; s/^slots .*/slots 4/; s/^hostlist .*/hostlist localhost/
s/^load_thresholds .*/load_thresholds NONE/; s/^min_uid .*/min_uid 0/; s/^min_gid .*/min_gid 0/
s/^schedule_interval .*/schedule_interval 0:0:1/; s/^flush_submit_sec .*/flush_submit_sec 1/
s/^flush_finish_sec .*/flush_finish_sec 1/; s/^job_load_adjustments .*/job_load_adjustments NONE/
s/flush_time=00:00:15/flush_time=00:00:01/; s|^execd_spool_dir .*|execd_spool_dir '"$SGE_ROOT"'/execd|' "$1"
`

// gridEngineEnv is the environment of its programs.
func (b *systems) gridEngineEnv() string {
	root := filepath.Join(b.Folder, "ge")
	return "SGE_ND=1 SGE_ROOT=" + root + " SGE_CELL=default SGE_QMASTER_PORT=46444 SGE_EXECD_PORT=46445 EDITOR=" + root +
		"/edit"
}

// startGridEngine starts a master and a host with a copy of the cell that the package has made, and
// reports whether jobs can be submitted.
func (b *systems) startGridEngine() bool {
	if os.Getuid() != 0 {
		b.missing = append(b.missing, gridEngine+": skipped, only root starts its daemons")
		return false
	}
	if !b.has("sge_qmaster", "dpkg-query -W gridengine-master") || !b.has("qconf", "") || !b.has("sge_execd", "") {
		return false
	}
	b.Must("cp -a /var/lib/gridengine ge && cp -a /var/spool/gridengine/spooldb ge/ && chmod 755 . && " +
		"install -d -o sgeadmin ge/qmaster ge/execd && cd ge/default/common && " +
		"sed -i \"s|/var/spool/gridengine/|$PWD/../../|\" bootstrap && echo localhost > act_qmaster && " +
		"echo localhost $(hostname) > host_aliases")
	edit := filepath.Join(b.Folder, "ge", "edit")
	b.Demand(os.WriteFile(edit, []byte(gridEngineEdits), 0o755) == nil, "%s", edit)
	env := b.gridEngineEnv()
	b.start(nil, "sh", "-c", "exec env "+env+" sge_qmaster 2>/dev/null")
	up := b.Within(20*time.Second, func() bool { return b.Sh("%s timeout 5 qconf -sh", env).Code == 0 })
	setUp := b.Sh("su sgeadmin -s /bin/sh -c '%s; qconf -ah localhost; qconf -am root'; export %s; "+
		"qconf -as localhost; qconf -mconf; qconf -msconf; qconf -aq all.q", "export "+env, env)
	b.start(nil, "sh", "-c", "exec env "+env+" sge_execd 2>/dev/null")
	if !up || !b.Within(30*time.Second, func() bool { return b.Sh("%s timeout 10 qrsh true", env).Code == 0 }) {
		b.missing = append(b.missing, gridEngine+": skipped, it runs no job within 30 s: "+setUp.String())
		return false
	}
	return true
}

// ofGridEngine lists the measures of Grid Engine.
func (b *systems) ofGridEngine() []measure {
	if !b.startGridEngine() {
		return nil
	}
	env := b.gridEngineEnv()
	const idle = "while %s qstat | grep -q .; do sleep 0.1; done"
	return []measure{
		{"P1", "no-op jobs to the end, an array of 20", gridEngine, "jobs/s", half, false, func() []float64 {
			const submit = "%s qsub -b y -t 1-20 -o /dev/null -j y true >/dev/null && " + idle
			return []float64{20 * 1000 / b.millis(b, submit, env, env)}
		}},
		{"P2", "qsub, whole command", gridEngine, "ms", percents(50, 99), false, func() []float64 {
			took := trials.Repeated(submits, func() float64 {
				return b.millis(b, "%s qsub -b y -o /dev/null -j y true >/dev/null", env)
			})
			b.Must("%s qdel -u root >/dev/null; "+idle, env, env)
			return took
		}},
		{"P3", "first instruction after qrsh", gridEngine, "ms", percents(50), false, func() []float64 {
			return trials.Repeated(10, func() float64 { return b.firstInstruction(b, env+" qrsh") })
		}},
	}
}
