package peer

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// layerBits is the number of bits of a timer's kind that are the layer's own; the others name the
// layer.
const layerBits = 6

// kindOf is the kind that a layer's timer has at the node.
func kindOf(of Layer, k protocol.TimerKind) protocol.TimerKind {
	return protocol.TimerKind(of)<<layerBits | k
}

// LayerOf returns the layer of a timer, and the timer as that layer names it.
func LayerOf(t protocol.Timer) (Layer, protocol.Timer) {
	of := Layer(t.Kind >> layerBits)
	t.Kind &= 1<<layerBits - 1
	return of, t
}

// TimerOf is the inverse of LayerOf: it returns a timer of a layer as the node names it.
func TimerOf(of Layer, t protocol.Timer) protocol.Timer {
	t.Kind = kindOf(of, t.Kind)
	return t
}

func (n *node) stepCan(in can.Input) {
	s, out := can.Step(&n.cfg.Can, n.Can, in)
	n.Can = s
	obey(n, CanLayer, out, func(m can.Message) Message { return CanMessage{m} })
}

func (n *node) stepRefine(in refine.Input) {
	s, out := refine.Step(&n.cfg.Refine, n.Refine, in)
	n.Refine, n.refined = s, true
	obey(n, RefineLayer, out, func(m refine.Message) Message { return RefineMessage{m} })
}

func (n *node) stepTasks(in reptask.Input) {
	s, out := reptask.Step(&n.cfg.Tasks, n.Tasks, in)
	n.Tasks = s
	obey(n, TaskLayer, out, func(m reptask.Message) Message { return TaskMessage{m} })
}

// stepTree makes a step of the tree. Its predictions may change the candidates.
func (n *node) stepTree(in dtm.Input) {
	if n.Tree == nil {
		n.Ignore(in.From, "the application predicts which nodes are near")
		return
	}
	before := n.Tree
	s, out := dtm.Step(&n.cfg.Tree, *before, in)
	n.Tree = &s
	obey(n, TreeLayer, out, func(m dtm.Message) Message { return TreeMessage{m} })
	n.predict(before)
}

// obey merges the output of a layer into the output of the node. Timers carry the name of their
// layer, so no two layers share one.
func obey[M any](n *node, of Layer, out protocol.Output[M], wrap func(M) Message) {
	for _, e := range out.Send {
		n.Out.Send = append(n.Out.Send, Envelope{From: e.From, To: e.To, Message: wrap(e.Message)})
	}
	for _, t := range out.Cancel {
		n.cancel(protocol.Timer{Kind: kindOf(of, t.Kind), Peer: t.Peer})
	}
	for _, set := range out.Set {
		set.Timer.Kind = kindOf(of, set.Timer.Kind)
		n.set(set)
	}
	n.Out.Measure = append(n.Out.Measure, out.Measure...)
	if out.Choose > 0 {
		n.Out.Choose = out.Choose
	}
	for _, e := range out.Events {
		e.Name = of.String() + ":" + e.Name
		n.Out.Events = append(n.Out.Events, e)
	}
	if out.Persist != nil {
		n.Out.Persist = protocol.AppendUint(n.Out.Persist, uint64(len(out.Persist)))
		n.Out.Persist = append(n.Out.Persist, out.Persist...)
	}
}

// begin starts or restarts all layers. They persist their identity at this time only.
func (n *node) begin(in Input) {
	parts := [layers][]byte{}
	if in.Kind == protocol.Restart {
		r := protocol.NewReader(in.Persisted)
		for i := range n.cfg.layers() {
			parts[i] = r.Bytes(int(r.Uint(protocol.MaxItems)))
		}
		if r.Close() != nil {
			n.Ignore(n.ID(), "the persisted identity cannot be used")
			return
		}
		n.Leaving, n.Clients = false, nil
	}
	n.stepCan(can.Input{Kind: in.Kind, Persisted: parts[CanLayer]})
	n.stepRefine(refine.Input{Kind: in.Kind, Persisted: parts[RefineLayer]})
	n.stepTasks(reptask.Input{Kind: in.Kind, Persisted: parts[TaskLayer]})
	if n.cfg.Predicts {
		tree := dtm.New(n.ID().Address)
		n.Tree = &tree
		n.stepTree(dtm.Input{Kind: in.Kind, Persisted: parts[TreeLayer]})
	}
}

// layers is how many layers a node has.
func (c *Config) layers() int {
	if c.Predicts {
		return int(layers)
	}
	return int(TreeLayer)
}
