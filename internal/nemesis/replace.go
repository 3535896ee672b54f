package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	regridLimit = 15 * time.Second // of the command
	joinLimit   = 2 * time.Minute  // of all attempts to join
	joinPause   = time.Second
	joinCall    = 40 * time.Second // of one command
)

// lostMachine is a machine that was lost with its disk.
type lostMachine struct {
	letter string
	folder string // what its disk held; only the judges read it
}

// letterOf is the name of a node, from that of one of its lives.
func letterOf(life string) string {
	letter, _, _ := strings.Cut(life, ".")
	return letter
}

// onLost reports whether a life ran on a machine that was lost.
func (r *run) onLost(id protocol.NodeID) bool {
	for _, l := range r.lost {
		if l.letter == letterOf(id.String()) {
			return true
		}
	}
	return false
}

// bereft reports whether a job has lost half of its custodians, or more, with the machines on which
// they ran. Then nobody can know how it stands: of three disks any two must come back, and of two
// the one that failed last.
func (r *run) bereft(record *jobs.Record) bool {
	lost := 0
	for _, id := range record.Custodians.Nodes() {
		if r.onLost(id) {
			lost++
		}
	}
	return lost > 0 && 2*lost >= len(record.Custodians)
}

// isOrphan reports whether a job was handed in at a machine that was lost before its client heard
// of it. Only that daemon knew whether it takes the job: the other custodians keep it for ten
// minutes, for which no run waits.
func (r *run) isOrphan(record *jobs.Record) bool {
	_, acknowledged := r.workload.jobs[record.ID]
	taker := protocol.NodeID{Address: record.Custody.By.Address, Incarnation: 1}
	return !acknowledged && record.State == jobs.Accepted && len(record.Attempts) == 0 && r.onLost(taker)
}

// isLost reports whether a node is known to be dead whose machine was lost.
func (r *run) isLost(n api.NodeReport) bool { return n.Error == api.Dead && r.onLost(n.Node) }

// folders are those of all daemons, and of those that were lost.
func (r *run) folders() (all []string) {
	for i := range r.Plan.Nodes {
		all = append(all, r.grid.Data(i))
	}
	for _, l := range r.lost {
		all = append(all, l.folder)
	}
	return all
}

// regrid asks the witnesses to close the grid. All daemons end by that, and are started again.
func (r *run) regrid(ctx context.Context, f Fault) string {
	r.later(func() error {
		limited, cancel := context.WithTimeout(ctx, regridLimit)
		defer cancel()
		_, err := r.command(limited, "", "node", "repair", "--regrid", "--socket", r.grid.Socket(f.Nodes[0]-1))
		return err
	}, func(err error) {
		if err == nil {
			r.report.count(Regrid).Happened++
		}
		r.say("%v: error %v", f, err)
	})
	return "asked"
}

// command runs canvass, and returns what it prints. What it says is part of an error.
func (r *run) command(ctx context.Context, in string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, r.grid.Binary, args...)
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &said
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("canvass %s: %w: %s", args[0], err, bytes.TrimSpace(said.Bytes()))
	}
	return out.String(), err
}

// replace loses a machine with its disk. Later another one joins in its place.
func (r *run) replace(f Fault) string {
	i := f.Nodes[0] - 1
	if !r.grid.Alive(i) || r.down[i] || r.leaving[i] != nil || r.away() >= r.Plan.Bounds.Down {
		return "no machine may be lost now"
	}
	at := r.strike(processes(), i, true)
	r.at(at+f.For, func() { r.newMachine(i) })
	return "killed"
}

// newMachine takes the disk of a daemon away, and lets another one join.
func (r *run) newMachine(i int) {
	if r.grid.Alive(i) { // its end was not reported yet
		r.at(bootTime()+10*milli, func() { r.newMachine(i) })
		return
	}
	l := lostMachine{r.letters[i], fmt.Sprintf("%s-lost-%d", r.grid.Data(i), len(r.lost)+1)}
	if err := os.Rename(r.grid.Data(i), l.folder); err != nil {
		r.report.Exits = append(r.report.Exits, err.Error())
		return
	}
	r.lost = append(r.lost, l)
	r.later(func() error { return r.join(i) }, func(err error) { r.hasJoined(i, err) })
}

// join makes the folder of a new machine.
func (r *run) join(i int) error {
	folder := r.grid.Data(i)
	if err := r.enlist(context.Background(), folder, r.fabric.listen(i)); err != nil {
		return err
	}
	c, err := node.LoadConfig(folder)
	if err != nil {
		return err
	}
	r.shape(i, &c)
	c.Dev = true // tasks run as those of the others: users of their own may not read the folder of the run
	return c.Save(folder)
}

// enlist gets a certificate for a machine, and makes its folder. The daemon that has the key of the
// authority may be down: it is asked again.
func (r *run) enlist(ctx context.Context, folder, listen string) (err error) {
	limited, cancel := context.WithTimeout(ctx, joinLimit)
	defer cancel()
	for err = limited.Err(); limited.Err() == nil; pause(limited, joinPause) {
		if err = r.enlistOnce(limited, folder, listen); err == nil {
			return nil
		}
	}
	return err
}

func (r *run) enlistOnce(ctx context.Context, folder, listen string) error {
	limited, cancel := context.WithTimeout(ctx, joinCall)
	defer cancel()
	token, err := r.command(limited, "", "node", "token", "create", "--ttl", "1m", "--socket", r.grid.Socket(0))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil { // of an attempt before
		return err
	}
	_, err = r.command(limited, token, "node", "join", r.fabric.door(0), "--listen", listen, "--data", folder)
	return err
}

// hasJoined starts the daemon of a new machine.
func (r *run) hasJoined(i int, err error) {
	id, failed := identity.Load(r.grid.Data(i))
	if err = cmp.Or(err, failed); err != nil {
		text := fmt.Sprintf("no machine could join in place of n%d: %v", i+1, err)
		r.say("%s", text)
		r.report.Exits = append(r.report.Exits, text)
		return
	}
	r.letters[i] = letterOf(protocol.NodeID{Address: id.Address, Incarnation: 1}.String())
	r.report.count(Replace).Happened++
	r.say("%s joins in place of %s, which was n%d", r.letters[i], r.lost[len(r.lost)-1].letter, i+1)
	r.restart(i)
}
