package protocol

// AppendOutput appends the canonical encoding of an output, for digests and comparisons: equal
// outputs have equal bytes, different ones different bytes. There is no decoder: to get the
// output again, step the core again.
func AppendOutput[S, M, C any](dst []byte, core Core[S, M, C], out Output[M]) []byte {
	dst = AppendBool(dst, out.Persist != nil)
	if out.Persist != nil {
		dst = appendBytes(dst, out.Persist)
	}
	dst = AppendUint(dst, uint64(len(out.Send)))
	var message []byte
	for _, e := range out.Send {
		message = core.AppendMessage(message[:0], e.Message)
		dst = appendBytes(AppendNodeID(AppendNodeID(dst, e.From), e.To), message)
	}
	dst = AppendUint(dst, uint64(len(out.Cancel)))
	for _, t := range out.Cancel {
		dst = appendTimer(dst, t)
	}
	dst = AppendUint(dst, uint64(len(out.Set)))
	for _, s := range out.Set {
		dst = appendTimer(dst, s.Timer)
		dst = AppendUint(AppendUint(dst, uint64(s.MinTicks)), uint64(s.MaxTicks))
	}
	dst = AppendUint(dst, uint64(len(out.Measure)))
	for _, id := range out.Measure {
		dst = AppendNodeID(dst, id)
	}
	dst = AppendUint(dst, uint64(out.Choose))
	dst = AppendUint(dst, uint64(len(out.Events)))
	for _, e := range out.Events {
		dst = appendBytes(dst, []byte(e.Name))
		dst = AppendUint(AppendNodeID(dst, e.Peer), uint64(e.Number))
		dst = appendBytes(dst, []byte(e.Detail))
	}
	return dst
}

func appendBytes(dst, b []byte) []byte { return append(AppendUint(dst, uint64(len(b))), b...) }
