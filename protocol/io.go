package protocol

// InputKind is the closed set of kinds of inputs of a core.
type InputKind uint8

// The kinds of input. Exactly the fields of Input that a kind names are set.
const (
	Start    InputKind = iota + 1 // first incarnation of a process: no field
	Deliver                       // From, Message
	Timeout                       // Timer: it was pending, now it is not
	Command                       // Command: the application asks for something
	Measured                      // From, Measure: the measured latency to a node
	Chosen                        // Choice: the answer to Output.Choose
	Restart                       // Persisted: an incarnation after a crash, in the initial state
)

// String names the kind as traces and logs do.
func (k InputKind) String() string {
	switch k {
	case Start:
		return "start"
	case Deliver:
		return "deliver"
	case Timeout:
		return "timeout"
	case Command:
		return "command"
	case Measured:
		return "measured"
	case Chosen:
		return "chosen"
	case Restart:
		return "restart"
	}
	return "invalid"
}

// Input is one event at a node. M is the core's message type, C its command type.
type Input[M, C any] struct {
	Kind      InputKind
	From      NodeID
	Message   M
	Timer     Timer
	Command   C
	Measure   uint32 // the unit is the core's; latencies are in microseconds
	Choice    uint32
	Persisted []byte
}

// Output lists the effects of a step. The driver carries them out in the order of the fields.
type Output[M any] struct {
	Persist []byte        // 1. durable before anything below; nil = unchanged
	Send    []Envelope[M] // 2. may be dropped, duplicated, delayed, reordered
	Cancel  []Timer       // 3. stop these timers,
	Set     []SetTimer    // 3. then start these
	Measure []NodeID      // 4. measure the latency to these; the answers are Measured, or missing
	Choose  uint32        // 5. n > 0: answer with Chosen, Choice in [0, n)
	Events  []Event       // 6. for the application, the log and the history
}

// Envelope is a message on its way.
type Envelope[M any] struct {
	From, To NodeID
	Message  M
}

// TimerKind names a timer within one core.
type TimerKind uint8

// Timer is the name of a timer: its kind and, for a timer per peer, the peer.
type Timer struct {
	Kind TimerKind
	Peer NodeID
}

// SetTimer starts a timer. It fires after a number of ticks that the driver draws from
// [MinTicks, MaxTicks].
type SetTimer struct {
	Timer              Timer
	MinTicks, MaxTicks uint32
}

// Core is a protocol with its configuration bound, as drivers see it: a pure step and canonical
// encodings. Decoders accept exactly the bytes that the encoders produce, and return an error that
// wraps [ErrEncoding] for all others.
type Core[S, M, C any] interface {
	Step(s S, in Input[M, C]) (S, Output[M])

	AppendState(dst []byte, s S) []byte
	DecodeState(src []byte) (S, error)
	AppendMessage(dst []byte, m M) []byte
	DecodeMessage(src []byte) (M, error)
	AppendCommand(dst []byte, c C) []byte
	DecodeCommand(src []byte) (C, error)

	// The texts are for people. Each is one line; different values have different texts.
	StateText(s S) string
	MessageText(m M) string
	CommandText(c C) string
	TimerText(t Timer) string
}
