package node

import (
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// calling is package rpc's view of the node. Its Latest, IsDead and Suspect are those of Members.
type calling struct{ *Node }

var _ rpc.Surroundings = calling{}

func (c calling) WhenDurable(f func()) { c.Durable = append(c.Durable, f) }

func (c calling) Beside(f func(), then func()) {
	c.Machine.Go(func() {
		f()
		c.Post(then)
	})
}

func (c calling) Unreadable(from protocol.NodeID, what string, err error) {
	c.unreadable(from, what, err)
}

// Send sends a question or an answer, unless the life is over.
func (c calling) Send(to protocol.NodeID, by transport.Channel, frame []byte) {
	switch {
	case c.Failed != nil:
	case to == c.Self:
		c.Later(func() { c.Calls.Receive(to, frame) })
	default:
		c.Links.Send(to, by, life.CallFrame, frame)
	}
}

// answerCalls registers the handlers of all calls.
func (n *Node) answerCalls() {
	x := n.Calls
	rpc.Client.Answer(x, n.owned.answerClient)
	rpc.Order.Answer(x, n.answerOrder)
	rpc.Owns.Answer(x, n.owned.answerOwns)
	rpc.Cancel.Answer(x, n.owned.answerCancel)
	rpc.Ended.Answer(x, n.answerEnded)
	rpc.Lost.Answer(x, n.answerLost)
	rpc.Holds.Answer(x, n.attempts.AnswerHolds)
	rpc.Halt.Answer(x, n.attempts.AnswerHalt)
	rpc.Forget.Answer(x, n.outputs.AnswerForget)
	rpc.Load.Answer(x, n.balancer.AnswerLoad)
	rpc.Queues.Answer(x, n.balancer.AnswerQueues)

	answerAsPrimary(n, rpc.Permit, n.answerPermit)
	answerAsPrimary(n, rpc.Outcome, n.answerOutcome)
	answerAsPrimary(n, rpc.Unfit, n.answerUnfit)
	answerAsPrimary(n, rpc.Gone, n.answerGone)
	answerAsPrimary(n, rpc.Rank, n.answerRank)
	answerAsPrimary(n, rpc.Do, n.orders.answerDo)

	rpc.Keep.Answer(x, n.answerKeep)
	rpc.Takes.Answer(x, n.auditor.answerTakes)
	rpc.Awaits.Answer(x, n.views.answerAwaits)
	rpc.Erase.Answer(x, n.answerErase)
	rpc.CatchUp.Answer(x, n.answerCatchUp)
	rpc.Loss.Answer(x, n.orders.answerLoss)
	rpc.Find.Answer(x, n.views.answerFind)
	rpc.List.Answer(x, n.views.answerList)
	rpc.Elements.Answer(x, n.arrays.answerElements)
	rpc.Deposit.Answer(x, n.answerDeposit)
	rpc.Examine.Answer(x, n.AnswerExamine)
	rpc.Blob.AnswerBeside(x, n.AnswerBlob)
	rpc.Content.AnswerBeside(x, n.attempts.AnswerContent)
	rpc.Output.Answer(x, n.outputs.AnswerOutput)
	rpc.Printed.Answer(x, n.outputs.AnswerPrinted)

	rpc.Echo.Answer(x, func(protocol.NodeID, rpc.None) (rpc.None, error) { return rpc.None{}, nil })
	rpc.Report.Answer(x, func(protocol.NodeID, rpc.None) (api.NodeReport, error) { return n.report(), nil })
	rpc.Events.Answer(x, n.News.AnswerEvents)
	rpc.Drain.Answer(x, n.drain.AnswerDrain)
	rpc.Farewell.Answer(x, n.AnswerFarewell)
	rpc.Departed.Answer(x, n.AnswerDeparted)
	rpc.Regrid.Answer(x, n.repair.AnswerRegrid)
	rpc.Life.Answer(x, n.auditor.answerLife)
}

// answerAsPrimary registers the handler of a call that only the primary of the job answers.
func answerAsPrimary[Q interface{ JobName() jobs.Name }, R any](
	n *Node, m rpc.Method[Q, R], f func(*keptJob, protocol.NodeID, Q) (R, error),
) {
	m.Answer(n.Calls, func(from protocol.NodeID, request Q) (answer R, err error) {
		k, err := n.deciding(request.JobName())
		if err != nil {
			return answer, err
		}
		return f(k, from, request)
	})
}
