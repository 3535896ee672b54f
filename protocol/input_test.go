package protocol_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
)

// letters is a core whose messages and commands are texts. Its messages must not be empty.
type letters struct {
	protocol.Core[int, string, string]
}

func (letters) AppendMessage(dst []byte, m string) []byte { return append(dst, m...) }

func (letters) DecodeMessage(src []byte) (string, error) {
	if len(src) == 0 {
		return "", protocol.ErrEncoding
	}
	return string(src), nil
}

func (letters) AppendCommand(dst []byte, c string) []byte { return append(dst, c...) }
func (letters) DecodeCommand(src []byte) (string, error)  { return string(src), nil }

type (
	lettersInput  = protocol.Input[string, string]
	lettersOutput = protocol.Output[string]
)

var (
	nodeB = protocol.NodeID{Address: 1, Incarnation: 2}
	nodeC = protocol.NodeID{Address: 300, Incarnation: 1}
)

// The encodings are those of recorded files, which must stay readable.
func TestInputEncoding(t *testing.T) {
	for _, c := range []struct {
		in  lettersInput
		hex string
	}{
		{lettersInput{Kind: protocol.Start}, "01"},
		{lettersInput{Kind: protocol.Deliver, From: nodeB, Message: "hi"}, "0201026869"},
		{lettersInput{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: 200, Peer: nodeC}}, "03c8ac0201"},
		{lettersInput{Kind: protocol.Command, Command: ""}, "04"},
		{lettersInput{Kind: protocol.Command, Command: "go"}, "04676f"},
		{lettersInput{Kind: protocol.Measured, From: nodeC, Measure: 1000}, "05ac0201e807"},
		{lettersInput{Kind: protocol.Chosen, Choice: 3}, "0603"},
		{lettersInput{Kind: protocol.Restart, Persisted: []byte{1, 2}}, "070102"},
	} {
		bytes := protocol.AppendInput(nil, letters{}, c.in)
		assert.Equal(t, c.hex, hex.EncodeToString(bytes), c.in.Kind)
		back, err := protocol.DecodeInput(letters{}, bytes)
		require.NoError(t, err)
		assert.Equal(t, c.in, back)
	}
}

func TestWrongInputs(t *testing.T) {
	for _, text := range []string{"", "00", "08", "0100", "02", "020102", "03c8", "03c8ac0201ff", "05ac0201", "06", "0680 00"} {
		bytes, _ := hex.DecodeString(text)
		_, err := protocol.DecodeInput(letters{}, bytes)
		assert.ErrorIs(t, err, protocol.ErrEncoding, text)
	}
}

// Only the fields that a kind names are written.
func TestInputWithMoreFields(t *testing.T) {
	more := lettersInput{Kind: protocol.Chosen, Choice: 3, Message: "m", Command: "c", From: nodeB, Measure: 1}
	back, err := protocol.DecodeInput(letters{}, protocol.AppendInput(nil, letters{}, more))
	require.NoError(t, err)
	assert.Equal(t, lettersInput{Kind: protocol.Chosen, Choice: 3}, back)
}

func FuzzDecodeInput(f *testing.F) {
	for _, text := range []string{"01", "0201026869", "03c8ac0201", "04676f", "05ac0201e807", "0603", "070102"} {
		bytes, _ := hex.DecodeString(text)
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		in, err := protocol.DecodeInput(letters{}, bytes)
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, bytes, protocol.AppendInput(nil, letters{}, in))
	})
}

func TestOutputEncoding(t *testing.T) {
	full := lettersOutput{
		Persist: []byte("p"),
		Send:    []protocol.Envelope[string]{{From: nodeB, To: nodeC, Message: "hi"}},
		Cancel:  []protocol.Timer{{Kind: 1}},
		Set:     []protocol.SetTimer{{Timer: protocol.Timer{Kind: 2, Peer: nodeB}, MinTicks: 3, MaxTicks: 300}},
		Measure: []protocol.NodeID{nodeC},
		Choose:  4,
		Events:  []protocol.Event{{Name: "e", Peer: nodeB, Number: 5, Detail: "d"}},
	}
	for _, c := range []struct {
		out lettersOutput
		hex string
	}{
		{lettersOutput{}, "00000000000000"},
		{lettersOutput{Persist: []byte{}}, "0100000000000000"},
		{full, "010170" + "01" + "0102ac0201026869" + "01" + "010000" + "01" + "02010203ac02" + "01" + "ac0201" + "04" +
			"01" + "0165" + "0102" + "05" + "0164"},
	} {
		assert.Equal(t, c.hex, hex.EncodeToString(protocol.AppendOutput(nil, letters{}, c.out)))
	}
}

// Different outputs have different bytes, so that a digest tells them apart.
func TestOutputsDiffer(t *testing.T) {
	node := rapid.SampledFrom([]protocol.NodeID{{}, nodeB, nodeC})
	text := rapid.SampledFrom([]string{"", "a", "aa", "\x00"})
	timer := rapid.Custom(func(t *rapid.T) protocol.Timer {
		return protocol.Timer{Kind: protocol.TimerKind(rapid.Uint8Range(0, 2).Draw(t, "kind")), Peer: node.Draw(t, "peer")}
	})
	small := rapid.Uint32Range(0, 2)
	output := rapid.Custom(func(t *rapid.T) lettersOutput {
		var persist []byte
		if rapid.Bool().Draw(t, "persists") {
			persist = []byte(text.Draw(t, "persist"))
		}
		return lettersOutput{
			Persist: persist,
			Send: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) protocol.Envelope[string] {
				return protocol.Envelope[string]{From: node.Draw(t, "from"), To: node.Draw(t, "to"), Message: text.Draw(t, "message")}
			}), 0, 2).Draw(t, "send"),
			Cancel: rapid.SliceOfN(timer, 0, 2).Draw(t, "cancel"),
			Set: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) protocol.SetTimer {
				return protocol.SetTimer{Timer: timer.Draw(t, "timer"), MinTicks: small.Draw(t, "min"), MaxTicks: small.Draw(t, "max")}
			}), 0, 2).Draw(t, "set"),
			Measure: rapid.SliceOfN(node, 0, 2).Draw(t, "measure"),
			Choose:  small.Draw(t, "choose"),
			Events: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) protocol.Event {
				return protocol.Event{
					Name: text.Draw(t, "name"), Peer: node.Draw(t, "peer"), Number: small.Draw(t, "number"), Detail: text.Draw(t, "detail"),
				}
			}), 0, 2).Draw(t, "events"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := output.Draw(t, "a"), output.Draw(t, "b")
		equal := assert.ObjectsAreEqual(a, b)
		same := string(protocol.AppendOutput(nil, letters{}, a)) == string(protocol.AppendOutput(nil, letters{}, b))
		require.Equal(t, equal, same)
	})
}
