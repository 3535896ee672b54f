package rpc

import (
	"fmt"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Submission names a submission of a job to the grid, by the incarnation that made it.
type Submission struct {
	Entry  protocol.NodeID `json:"entry"`
	Number uint32          `json:"number"`
}

// OwnedJob names a job as its owner numbers it. A later incarnation of the owner begins at 1 again,
// and must not answer for a job of an earlier one.
type OwnedJob struct {
	Owner  protocol.NodeID `json:"owner"`
	Number uint32          `json:"number"`
}

// Binding binds an attempt to its job.
type Binding struct {
	Job        jobs.Name       `json:"job"`
	Custodians jobs.Custodians `json:"custodians"`
	Try        uint32          `json:"try"`
	ID         string          `json:"id"`
	Spec       jobs.Spec       `json:"spec"`
}

func (b *Binding) check() error {
	if len(b.Custodians) < 1 || len(b.Custodians) > custody.Most {
		return fmt.Errorf("%d custodians", len(b.Custodians))
	}
	return b.Spec.CheckAsTaken()
}

// AttemptName is the name of an attempt between daemons.
type AttemptName struct {
	By    protocol.NodeID `json:"by"`
	Epoch uint32          `json:"epoch"`
}

// Attempt is the name as custodians have it.
func (a AttemptName) Attempt() custody.Attempt { return custody.Attempt{By: a.By, Epoch: a.Epoch} }

// JobAttempt names an attempt to the custodians of its job.
type JobAttempt struct {
	AttemptName
	Job    jobs.Name `json:"job"`
	Try    uint32    `json:"try"`
	Ticket uint32    `json:"ticket"` // the number of its submission, where that was made
}

// JobName is the job whose primary is asked.
func (a JobAttempt) JobName() jobs.Name { return a.Job }

// Holding is the state of an attempt at a host.
type Holding struct {
	Holds bool      `json:"holds"` // its task runs there, or may start
	Told  jobs.Rank `json:"told"`  // of the task
}

func (h *Holding) check() error { return h.Told.Check() }

// LostReport reports, to the daemon that submitted a job, that no owner was found, or that the
// owner has given it up.
type LostReport struct {
	Submission
	Why string `json:"why"`
}

// UnfitReport reports, to the custodians of a job, why a host cannot start it, or has lost it.
type UnfitReport struct {
	JobAttempt
	Why string `json:"why"`
}

// PermitRequest asks for the permit of an attempt.
type PermitRequest struct {
	JobAttempt
	Representative protocol.NodeID   `json:"representative"`
	Hosts          []protocol.NodeID `json:"hosts"` // by rank
}

func (p *PermitRequest) check() error {
	if len(p.Hosts) < 1 || len(p.Hosts) > jobs.TasksLimit {
		return fmt.Errorf("an attempt with %d hosts", len(p.Hosts))
	}
	return nil
}

// OutcomeReport deposits the statuses of an attempt, by rank.
type OutcomeReport struct {
	PermitRequest
	Statuses []jobs.Status `json:"statuses"`
}

func (o *OutcomeReport) check() error {
	if len(o.Statuses) != len(o.Hosts) {
		return fmt.Errorf("%d statuses of %d hosts", len(o.Statuses), len(o.Hosts))
	}
	return o.PermitRequest.check()
}

// RankReport reports the task of a rank to the custodians of its job.
type RankReport struct {
	JobAttempt
	Rank jobs.Rank `json:"rank"`
}

func (r *RankReport) check() error { return r.Rank.Check() }

// NodeLoad is the report of a node about its queue.
type NodeLoad struct {
	Takes      bool              `json:"takes"` // it takes jobs
	Length     uint32            `json:"length"`
	Coordinate space.Point       `json:"coordinate"`
	Cluster    []protocol.NodeID `json:"cluster"`
}
