package refine

import "github.com/canvass-grid/canvass/protocol/refine"

// viewOfLive shows a node to the properties, unless it has left.
func viewOfLive(s refine.State) any {
	if s.Departed {
		return nil
	}
	return ViewOf(s)
}

// ViewOf shows a node of the corrected core.
func ViewOf(s refine.State) *View {
	v := &View{ID: s.ID, Client: ClientState(s.Client()), Head: HeadState(s.Head), Round: s.Round}
	if own, ok := s.Own(); ok {
		v.Own = Cluster(own)
	}
	if advertised, ok := s.Advertised(); ok {
		v.Advertised = Cluster(advertised)
	}
	for _, t := range s.Slots {
		slot := Slot{Head: t.Head, Round: t.Round, Stage: Stage(t.Stage)}
		if t.Stage == refine.Committed {
			slot.Cluster = Cluster{Head: t.Head, Round: t.ClusterRound, Members: t.Members}
		}
		v.Slots = append(v.Slots, slot)
	}
	for _, c := range s.Candidates {
		switch c.Status {
		case refine.Denied:
			v.Denied = append(v.Denied, c.ID)
		case refine.Deferred:
			v.Deferred = append(v.Deferred, c.ID)
		case refine.Filtered:
			v.Filtered = append(v.Filtered, c.ID)
		}
	}
	return v
}
