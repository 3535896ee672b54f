package cores

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
)

// Impossible describes an output that no driver can carry out, or returns "".
func Impossible[M any](out *protocol.Output[M]) string {
	for _, set := range out.Set {
		if set.MinTicks > set.MaxTicks {
			return fmt.Sprintf(
				"it sets a timer of kind %d that fires after %d ticks at least and %d at most",
				set.Timer.Kind,
				set.MinTicks,
				set.MaxTicks,
			)
		}
	}
	return ""
}

// AppendOutput appends an encoding of an output, with all that a function could change in it.
func AppendOutput[M any](dst []byte, out *protocol.Output[M], message func(dst []byte, m M) []byte) []byte {
	for _, length := range [...]int{len(out.Send), len(out.Set), len(out.Cancel), len(out.Events), len(out.Measure)} {
		dst = protocol.AppendUint(dst, uint64(length))
	}
	for _, e := range out.Send {
		dst = message(protocol.AppendNodeID(protocol.AppendNodeID(dst, e.From), e.To), e.Message)
	}
	for _, t := range out.Set {
		dst = appendTimer(dst, t.Timer, t.MinTicks, t.MaxTicks)
	}
	for _, t := range out.Cancel {
		dst = appendTimer(dst, t)
	}
	for _, e := range out.Events {
		dst = append(protocol.AppendNodeID(append(dst, e.Name...), e.Peer), e.Detail...)
		dst = protocol.AppendUint(dst, uint64(e.Number))
	}
	for _, id := range out.Measure {
		dst = protocol.AppendNodeID(dst, id)
	}
	dst = protocol.AppendUint(protocol.AppendBool(dst, out.Persist != nil), uint64(out.Choose))
	return append(dst, out.Persist...)
}

func appendTimer(dst []byte, t protocol.Timer, ticks ...uint32) []byte {
	dst = protocol.AppendNodeID(protocol.AppendUint(dst, uint64(t.Kind)), t.Peer)
	for _, n := range ticks {
		dst = protocol.AppendUint(dst, uint64(n))
	}
	return dst
}
