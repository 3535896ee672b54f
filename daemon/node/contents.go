package node

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// spread has the other custodians of a job keep this copy of the record and all contents that it
// refers to. Then is called when each of them has, or has died: it copies them when it is back.
func (n *Node) spread(k *keeping, then func()) {
	text := json.RawMessage(k.record.Encode())
	left := 1
	arrived := func() {
		if left--; left == 0 && then != nil {
			then()
		}
	}
	for _, a := range k.record.Custodians {
		life := n.latest(protocol.NodeID{Address: a})
		if a == n.self.Address || life.Incarnation == 0 || n.dead(life) {
			continue
		}
		left++
		kept := func() bool { return n.keepings[k.id] == k }
		n.askLife(life, "keep", text, kept, func(json.RawMessage, error) { arrived() })
	}
	n.later(arrived)
}

// answerKeep keeps a copy. The answer comes when the contents are here, too.
func (n *Node) answerKeep(from protocol.NodeID, text json.RawMessage) (any, error) {
	if !n.restored {
		return nil, errLater
	}
	if err := n.adopt(from, text); err != nil {
		return nil, err
	}
	fresh, err := jobs.Decode(text)
	if err != nil {
		return nil, err
	}
	r := n.table.Named(fresh.Custody)
	if r == nil || len(n.lacks(r)) == 0 {
		return nil, nil
	}
	k := n.keepingOf(r)
	n.fetchContents(k, from)
	return nil, errParked{k}
}

// lacks lists the contents of a job that are not here.
func (n *Node) lacks(r *jobs.Record) []string {
	return slices.DeleteFunc(r.Contents(), n.kept.Has)
}

// fetchAgain is the time after which contents are asked for again.
const fetchAgain = 5 * time.Second

// fetchContents copies the contents of a job that are not here, from another custodian.
func (n *Node) fetchContents(k *keeping, from protocol.NodeID) {
	lacks := n.lacks(k.record)
	if k.fetching || len(lacks) == 0 || n.keepings[k.id] != k {
		return
	}
	k.fetching = true
	sources := []protocol.Address{from.Address}
	for _, a := range k.record.Custodians {
		if a != n.self.Address && a != from.Address {
			sources = append(sources, a)
		}
	}
	go func() {
		var err error
		for _, digest := range lacks {
			content := &distant{Node: n, sources: sources, method: "blob", what: pieceOf{Digest: digest}}
			if _, _, err = n.kept.Put(content, digest, jobs.FileLimit); err != nil {
				err = fmt.Errorf("content %s of job %s: %w", digest, k.record.ID, err)
				break
			}
		}
		n.post(func() {
			k.fetching = false
			if err != nil {
				n.log.Warn("a copy is not complete", "error", err)
				n.after(fetchAgain, func() { n.fetchContents(k, from) })
			}
			n.unpark(k)
		})
	}()
}
