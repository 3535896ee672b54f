package protocol

// InputKind is the closed set of what can reach a core.
type InputKind uint8

// The kinds of input. Exactly the fields of Input that a kind names are set.
const (
	Start    InputKind = iota + 1 // first life of a process: no field
	Deliver                       // From, Message
	Timeout                       // Timer: it was pending, now it is not
	Command                       // Command: the application asks for something
	Measured                      // From, Measure: a measurement of a peer came in
	Chosen                        // Choice: the answer to Output.Choose
	Restart                       // Persisted: a later life of a process that crashed, in the state that it was made with
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

// Input is one thing that happens to a node. M is the core's message type, C its command type.
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

// Output is what a core wants done, in the order of the fields.
type Output[M any] struct {
	Persist []byte        // 1. durable before anything below; nil = unchanged
	Send    []Envelope[M] // 2. may be lost, repeated, reordered
	Cancel  []Timer       // 3. forget these timers,
	Set     []SetTimer    // 3. then start these
	Measure []NodeID      // 4. measure the latency to these; each is answered with Measured, or never
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

// Timer is the name of a pending timer: its kind and, where a core keeps one per peer, the peer.
type Timer struct {
	Kind TimerKind
	Peer NodeID
}

// SetTimer asks for a timer to fire after a number of ticks that the driver draws from
// [MinTicks, MaxTicks].
type SetTimer struct {
	Timer              Timer
	MinTicks, MaxTicks uint32
}

// Core is a protocol with its configuration bound, as drivers see it: a pure step and the canonical
// encodings. Decoders accept exactly the bytes that the encoders produce and answer anything else
// with an error that wraps [ErrEncoding].
type Core[S, M, C any] interface {
	Step(s S, in Input[M, C]) (S, Output[M])

	AppendState(dst []byte, s S) []byte
	DecodeState(src []byte) (S, error)
	AppendMessage(dst []byte, m M) []byte
	DecodeMessage(src []byte) (M, error)
	AppendCommand(dst []byte, c C) []byte
	DecodeCommand(src []byte) (C, error)

	// The texts are for people: one line, no line breaks, different values differ.
	StateText(s S) string
	MessageText(m M) string
	CommandText(c C) string
	TimerText(t Timer) string
}
