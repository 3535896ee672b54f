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
	for _, text := range []string{
		"", "00", "08", "0100", "02", "020102", "03", "03c8", "03c8ac0201ff", "05ac0201", "06", "068000",
	} {
		bytes, err := hex.DecodeString(text)
		require.NoError(t, err)
		_, err = protocol.DecodeInput(letters{}, bytes)
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

// Different outputs have different bytes, so that a digest distinguishes them.
func TestOutputsDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawOutput(t), drawOutput(t)
		equal := assert.ObjectsAreEqual(a, b)
		same := string(protocol.AppendOutput(nil, letters{}, a)) == string(protocol.AppendOutput(nil, letters{}, b))
		require.Equal(t, equal, same)
	})
}

// drawOutput draws an output from few values, such that two of them are often alike.
func drawOutput(t *rapid.T) lettersOutput {
	node := func() protocol.NodeID {
		return rapid.SampledFrom([]protocol.NodeID{{}, nodeB, nodeC}).Draw(t, "node")
	}
	text := func() string { return rapid.SampledFrom([]string{"", "a", "aa", "\x00"}).Draw(t, "text") }
	small := func() uint32 { return rapid.Uint32Range(0, 2).Draw(t, "number") }
	timer := func() protocol.Timer { return protocol.Timer{Kind: protocol.TimerKind(small()), Peer: node()} }
	var out lettersOutput
	if small() == 0 {
		out.Persist = []byte(text())
	}
	for range rapid.IntRange(0, 2).Draw(t, "items") {
		switch small() + 3*small() {
		case 0, 1:
			out.Send = append(out.Send, protocol.Envelope[string]{From: node(), To: node(), Message: text()})
		case 2:
			out.Cancel = append(out.Cancel, timer())
		case 3, 4:
			out.Set = append(out.Set, protocol.SetTimer{Timer: timer(), MinTicks: small(), MaxTicks: small()})
		case 5:
			out.Measure = append(out.Measure, node())
		case 6:
			out.Choose = small()
		default:
			out.Events = append(out.Events, protocol.Event{Name: text(), Peer: node(), Number: small(), Detail: text()})
		}
	}
	return out
}
