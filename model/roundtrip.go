package model

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/protocol"
)

// A decoder accepts exactly the bytes that the encoder produces. No run shows whether it does: in a
// run a decoder reads nothing but encodings. So a check damages some encodings, and makes others
// up. If a decoder accepts any of them, it must be the encoding of the decoded value.

// strict tries decoders with bytes that may be no encoding.
type strict[T any] struct {
	blame.Codec[T]
	turn int // which share of the replacements of a byte is tried
}

// damaged is a sequence of bytes that may be no encoding.
type damaged struct {
	src     []byte
	promise bool // it may begin a list that is longer than the rest of the bytes
}

// modest bounds the memory, in bytes, that a decoder may take for bytes that promise long lists.
const modest = 1 << 18

// attempts is how often a decoder must take too much memory, each time a pause later. The memory of
// other goroutines is counted, too. They may take as much several times in a row, as while memory
// is collected or the processor is busy, but not that often.
const (
	attempts = 20
	pause    = time.Millisecond
)

// damage tries the damages of an encoding.
func (d strict[T]) damage(encoded []byte) error {
	for x := range damages(encoded, d.turn) {
		if err := d.refuse(x); err != nil {
			return err
		}
	}
	return nil
}

// refuse returns an error if a decoder does not take a damage as it should.
func (d strict[T]) refuse(x damaged) error {
	if _, err := d.accepts(x.src); err != nil || !x.promise {
		return err
	}
	for range attempts {
		before := allocatedBytes()
		if _, err := d.accepts(x.src); err != nil {
			return err
		}
		if allocatedBytes()-before <= modest {
			return nil
		}
		time.Sleep(pause)
	}
	return fmt.Errorf("Decode%s takes more than %d KiB of memory for the %d bytes %s; a list may have a length "+
		"that it does not have", d.Kind, modest>>10, len(x.src), shown(x.src))
}

// accepts reports whether a decoder accepts these bytes. If so, they must be the encoding of the
// decoded value.
func (d strict[T]) accepts(src []byte) (accepted bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("Decode%s or Append%s panics on the bytes %s: %v", d.Kind, d.Kind, shown(src), p)
		}
	}()
	value, refusal := d.Decode(src)
	if refusal != nil {
		if !errors.Is(refusal, protocol.ErrEncoding) {
			return false, fmt.Errorf("Decode%s refuses the bytes %s with an error that is no protocol.ErrEncoding: %w",
				d.Kind, shown(src), refusal)
		}
		return false, nil
	}
	if again := d.Encode(nil, value); !bytes.Equal(src, again) {
		if err := d.RoundTrip(value); err != nil {
			return false, fmt.Errorf("%w (the bytes were %s)", err, shown(src))
		}
		return false, fmt.Errorf("Decode%s accepts the bytes %s, although Append%s encodes the value that it makes of "+
			"them as %s", d.Kind, shown(src), d.Kind, shown(again))
	}
	return true, nil
}

// Made-up encodings are a tag and up to this many ones: a field that is 1, a list with one item.
const (
	mostTags = 20
	mostOnes = 48
)

// invent tries made-up encodings and the damages of accepted ones. So it meets kinds of values that
// a model does not have.
func (d strict[T]) invent() error {
	ones := bytes.Repeat([]byte{1}, 1+mostOnes)
	for tag := range byte(mostTags) {
		ones[0] = tag
		for n := range 1 + mostOnes {
			accepted, err := d.accepts(ones[:1+n])
			if err != nil {
				return err
			}
			if !accepted {
				continue
			}
			if err := d.damage(ones[:1+n]); err != nil {
				return err
			}
		}
	}
	return nil
}

// The number of replacements of a byte, and the number of shares, of which one is tried for each
// byte. Encodings of other models have the other shares.
const (
	replacements = 12
	shares       = 3
)

// damages yields the truncations of an encoding, a byte more at its end, and a share of the
// replacements of each byte. The buffer of a damage is used again for the next.
func damages(encoded []byte, turn int) iter.Seq[damaged] {
	return func(yield func(damaged) bool) {
		for n := range encoded {
			if !yield(damaged{src: encoded[:n:n]}) {
				return
			}
		}
		for _, more := range []byte{0, 1} {
			if !yield(damaged{src: append(encoded[:len(encoded):len(encoded)], more)}) {
				return
			}
		}
		buffer := make([]byte, 0, len(encoded)+mostInstead)
		for at, old := range encoded {
			for i := (at + turn) % shares; i < replacements; i += shares {
				instead, promise := replacement(i, old)
				buffer = append(append(append(buffer[:0], encoded[:at]...), instead...), encoded[at+1:]...)
				if !yield(damaged{buffer, promise}) {
					return
				}
			}
		}
	}
}

// mostInstead is the length of the longest replacement.
const mostInstead = 11

// replacement is one of the replacements of a byte, which may be a whole number or a part of one,
// and whether it can be the length of a long list. Each share has another number.
func replacement(i int, old byte) (instead []byte, promise bool) {
	switch i {
	case 0:
		return []byte{0}, false
	case 1:
		return []byte{old + 1}, false
	case 2:
		return []byte{old - 1}, false
	case 3:
		return []byte{0x7f}, false
	case 4:
		return []byte{old ^ 0x80}, false
	case 5:
		return []byte{2}, false
	case 6: // the number of this byte in a longer form than it needs
		return []byte{old | 0x80, 0}, false
	case 7: // nothing
		return nil, false
	case 8: // a number of more than 64 bits
		return bytes.Repeat([]byte{0xff}, mostInstead), false
	case 9: // the length of the longest list
		return protocol.AppendUint(nil, protocol.MaxItems), true
	case 10: // no list is so long, but the memory may have room for one
		return protocol.AppendUint(nil, 1<<24-1), true
	default:
		return protocol.AppendUint(nil, 1<<64-1), true
	}
}

func allocatedBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// mostShown bounds the bytes that an error shows.
const mostShown = 64

func shown(b []byte) string {
	if len(b) > mostShown {
		return fmt.Sprintf("[% x …]", b[:mostShown])
	}
	return fmt.Sprintf("[% x]", b)
}

// Every state, message and command that a check meets must survive its encoding: the tables take
// values with the same bytes for one. So a value that gets an id is decoded once and compared, and
// a value with the bytes of a known one is compared with that. A field that the encoding forgets
// ends the check as soon as it is not zero. Some encodings are also damaged, since a decoder that
// accepts more than encodings gives one value to several sequences of bytes.

func (c *codec[S, M, C]) states() blame.Codec[S] {
	return blame.Codec[S]{Kind: "State", Encode: c.Core.AppendState, Decode: c.Core.DecodeState}
}

func (c *codec[S, M, C]) messages() blame.Codec[M] {
	return blame.Codec[M]{Kind: "Message", Encode: c.Core.AppendMessage, Decode: c.Core.DecodeMessage}
}

func (c *codec[S, M, C]) commands() blame.Codec[C] {
	return blame.Codec[C]{Kind: "Command", Encode: c.Core.AppendCommand, Decode: c.Core.DecodeCommand}
}

// require ends the check if there is an error.
func (c *codec[S, M, C]) require(err error) {
	if err != nil {
		c.broken("%v", err)
	}
}

// requireState ends the check unless a state survives its encoding.
func (c *codec[S, M, C]) requireState(s S) {
	encoded := c.Core.AppendState(nil, s)
	requireEncoded(c, c.states(), s, encoded, kind{of: reflect.TypeFor[S]()})
}

// requireMessage ends the check unless a message survives its encoding.
func (c *codec[S, M, C]) requireMessage(m M) {
	encoded := c.Core.AppendMessage(nil, m)
	k := kind{of: reflect.TypeOf(m)}
	copy(k.tags[:], encoded)
	requireEncoded(c, c.messages(), m, encoded, k)
}

// requireCommand ends the check unless a command survives its encoding.
func (c *codec[S, M, C]) requireCommand(command C) {
	encoded := c.Core.AppendCommand(nil, command)
	k := kind{of: reflect.TypeFor[C]()}
	copy(k.tags[:], encoded)
	requireEncoded(c, c.commands(), command, encoded, k)
}

// requireEncoded ends the check unless a value survives its encoding, and unless the decoder
// refuses the damages of the encoding, if it is in the sample for damages.
func requireEncoded[S, M, C, T any](c *codec[S, M, C], of blame.Codec[T], value T, encoded []byte, k kind) {
	c.require(of.RoundTrip(value))
	if c.sampled.wants(k, len(encoded)) {
		c.require(strict[T]{of, c.turn()}.damage(encoded))
	}
}

// requireCommands ends the check unless every command of the description survives its encoding.
func (c *codec[S, M, C]) requireCommands() {
	for _, node := range c.Nodes {
		for _, life := range node.Commands {
			for _, command := range life {
				c.requireCommand(command)
			}
		}
	}
	for _, o := range c.Prelude {
		c.requireCommand(o.Command)
	}
}

// requireStrict ends the check if a decoder accepts a made-up encoding that no value has.
func (c *codec[S, M, C]) requireStrict() {
	c.require(strict[S]{c.states(), c.turn()}.invent())
	c.require(strict[M]{c.messages(), c.turn()}.invent())
	c.require(strict[C]{c.commands(), c.turn()}.invent())
}

// turn says which share of the damages this model tries.
func (c *codec[S, M, C]) turn() int { return int(protocol.Hash([]byte(c.Info.Name)) % shares) }

// sampled chooses the encodings that a check damages: of each kind the first, and then each that is
// twice as long as those before it. So they are few, and long ones are among them.
type sampled struct {
	lock    sync.Mutex
	longest map[kind]int // length in bytes
}

// kind is the type of a value. Messages and commands of one type differ in their tags, which are
// among the first bytes of their encodings.
type kind struct {
	of   reflect.Type
	tags [2]byte
}

// mostKinds bounds the kinds of which encodings are damaged.
const mostKinds = 64

func (s *sampled) wants(k kind, size int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	longest, known := s.longest[k]
	if known && size < 2*longest || !known && len(s.longest) == mostKinds {
		return false
	}
	if s.longest == nil {
		s.longest = map[kind]int{}
	}
	s.longest[k] = size
	return true
}
