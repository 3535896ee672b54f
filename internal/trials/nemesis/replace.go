package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/internal/trials"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	regridLimit = 15 * time.Second // of the command
	joinLimit   = 2 * time.Minute  // of all attempts to join
	joinPause   = time.Second
	joinCall    = 40 * time.Second // of one command
)

// regrid asks the witnesses to close the grid. All daemons end by that, and are started again.
func (r *run) regrid(ctx context.Context, f Fault) string {
	r.later(func() error {
		limited, cancel := context.WithTimeout(ctx, regridLimit)
		defer cancel()
		_, err := r.bed.Command(limited, "", "node", "repair", "--regrid", "--socket", r.grid.Socket(f.Nodes[0]-1))
		return err
	}, func(err error) {
		if err == nil {
			r.report.count(Regrid).Happened++
		}
		r.say("%v: error %v", f, err)
	})
	return "asked"
}

// replace loses a machine with its disk. Later another one joins in its place.
func (r *run) replace(f Fault) string {
	i := f.Nodes[0] - 1
	if !r.grid.Alive(i) || r.down[i] || r.leaving[i] != nil || r.away() >= r.Plan.Bounds.Down {
		return "no machine may be lost now"
	}
	at := r.strike(trials.Processes(), i, true)
	r.at(at+f.For, func() { r.newMachine(i) })
	return "killed"
}

// newMachine takes the disk of a daemon away, and lets another one join.
func (r *run) newMachine(i int) {
	if r.grid.Alive(i) { // its end was not reported yet
		r.at(trials.BootTime()+10*milli, func() { r.newMachine(i) })
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
	c, err := config.Load(folder)
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
	for err = limited.Err(); limited.Err() == nil; trials.Pause(limited, joinPause) {
		if err = r.enlistOnce(limited, folder, listen); err == nil {
			return nil
		}
	}
	return err
}

func (r *run) enlistOnce(ctx context.Context, folder, listen string) error {
	limited, cancel := context.WithTimeout(ctx, joinCall)
	defer cancel()
	token, err := r.bed.Command(limited, "", "node", "token", "create", "--ttl", "1m", "--socket", r.grid.Socket(0))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil { // of an attempt before
		return err
	}
	_, err = r.bed.Command(limited, token, "node", "join", r.fabric.door(0), "--listen", listen, "--data", folder)
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
	r.letters[i] = trials.LetterOf(protocol.NodeID{Address: id.Address, Incarnation: 1}.String())
	r.report.count(Replace).Happened++
	r.say("%s joins in place of %s, which was n%d", r.letters[i], r.lost[len(r.lost)-1].letter, i+1)
	r.restart(i)
}
