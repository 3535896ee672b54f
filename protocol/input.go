package protocol

// AppendInput appends the canonical encoding of an input: its kind, then the fields that the kind
// names. Other fields are not written. Recorder and replay share it.
func AppendInput[S, M, C any](dst []byte, core Core[S, M, C], in Input[M, C]) []byte {
	dst = append(dst, byte(in.Kind))
	switch in.Kind {
	case Deliver:
		dst = core.AppendMessage(AppendNodeID(dst, in.From), in.Message)
	case Timeout:
		dst = appendTimer(dst, in.Timer)
	case Command:
		dst = core.AppendCommand(dst, in.Command)
	case Measured:
		dst = AppendUint(AppendNodeID(dst, in.From), uint64(in.Measure))
	case Chosen:
		dst = AppendUint(dst, uint64(in.Choice))
	case Restart:
		dst = append(dst, in.Persisted...)
	case Start:
	}
	return dst
}

// DecodeInput decodes what AppendInput appended. It accepts exactly those bytes, and returns an
// error that wraps [ErrEncoding] for all others. The result may alias src.
func DecodeInput[S, M, C any](core Core[S, M, C], src []byte) (Input[M, C], error) {
	r := NewReader(src)
	in := Input[M, C]{Kind: InputKind(r.Uint(uint64(Restart)))}
	var err error
	switch in.Kind {
	case Start:
	case Deliver:
		in.From = r.NodeID()
		in.Message, err = rest(r, core.DecodeMessage)
	case Timeout:
		in.Timer = readTimer(r)
	case Command:
		in.Command, err = rest(r, core.DecodeCommand)
	case Measured:
		in.From, in.Measure = r.NodeID(), uint32(r.Uint(1<<32-1))
	case Chosen:
		in.Choice = uint32(r.Uint(1<<32 - 1))
	case Restart:
		in.Persisted = r.Bytes(r.Left())
	default:
		r.Fail()
	}
	if failed := r.Close(); failed != nil {
		err = failed
	}
	if err != nil {
		return Input[M, C]{}, err
	}
	return in, nil
}

// rest decodes all that is left. A message or command is the last thing in an input, so its length
// is not written.
func rest[T any](r *Reader, decode func([]byte) (T, error)) (value T, err error) {
	return decode(r.Bytes(r.Left()))
}

func appendTimer(dst []byte, t Timer) []byte {
	return AppendNodeID(append(dst, byte(t.Kind)), t.Peer)
}

func readTimer(r *Reader) Timer {
	kind := r.Bytes(1)
	if !r.OK() {
		return Timer{}
	}
	return Timer{Kind: TimerKind(kind[0]), Peer: r.NodeID()}
}
