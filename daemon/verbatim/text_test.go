package verbatim_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/verbatim"
)

// pieces are parts of texts that encoders and decoders are known to stumble on.
var pieces = []string{
	"\xe9", "\xff", "\x80", "\xc3", "é", "\xed\xb2\x80", "\xed\xa0\x80", "😀", "\xf0\x9f", "\x98\x80", "\\", `"`, `\u00e9`,
	`\udce9`, "\x00", "\n", "\x1b", "<&>", "\u2028", "\ufffd", "plain",
}

func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom(pieces), rapid.String(),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 4), func(b []byte) string { return string(b) }),
		), 0, 8).Draw(t, "parts")
		return strings.Join(parts, "")
	})
}

// value has the types where users of this package have them.
type value struct {
	Text verbatim.Text `json:"text,omitempty"`
	List verbatim.List `json:"list,omitempty"`
}

// Every text of any bytes arrives as it was, through nested encodings, too.
func TestBytesArriveUnharmed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := value{verbatim.Text(texts().Draw(t, "text")), rapid.SliceOfN(texts(), 1, 3).Draw(t, "list")}
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		outer, err := json.Marshal(map[string]json.RawMessage{"body": raw})
		require.NoError(t, err)
		var back map[string]value
		require.NoError(t, json.Unmarshal(outer, &back))
		require.Equal(t, v, back["body"])
	})
}

// Valid UTF-8 is written as encoding/json writes it, in every way of writing the whole value.
func TestValidTextIsPlainJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		for _, html := range []bool{true, false} {
			encode := func(v any) string {
				var dst bytes.Buffer
				e := json.NewEncoder(&dst)
				e.SetEscapeHTML(html)
				require.NoError(t, e.Encode(v))
				return dst.String()
			}
			require.Equal(t, encode(text), encode(verbatim.Text(text)))
			require.Equal(t, encode([]string{text}), encode(verbatim.List{text}))
		}
	})
}

func TestWhatIsWritten(t *testing.T) {
	for text, want := range map[verbatim.Text]string{
		"b\xe9": `"b\udce9"`, "\xed\xb2\x80": `"\udced\udcb2\udc80"`, "": `""`, "é": `"é"`,
	} {
		got, err := json.Marshal(text)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
	got, err := json.Marshal(value{})
	require.NoError(t, err)
	assert.Equal(t, "{}", string(got))
}

func TestWhatIsRead(t *testing.T) {
	for src, want := range map[string]verbatim.Text{
		`"\udce9"`: "\xe9", `"\ud83d\ude00"`: "😀", `"\ud83d"`: "\ufffd", `"\ud83dx"`: "\ufffdx", `"\udc00"`: "\ufffd",
		`"\udfff"`: "\ufffd", `"\ud83d\udce9"`: "\U0001f4e9", `"\/\b\f\n\r\t\\\""`: "/\b\f\n\r\t\\\"",
		`"\u00E9"`: "é", "\"\xe9\"": "\xe9", "null": "",
	} {
		var got verbatim.Text
		require.NoError(t, json.Unmarshal([]byte(src), &got), src)
		assert.Equal(t, want, got, src)
	}
	for _, src := range []string{`"\x"`, `"\u12"`, "1", "{}", `"`} {
		var text verbatim.Text
		require.Error(t, json.Unmarshal([]byte(src), &text), src)
		require.Error(t, text.UnmarshalJSON([]byte(src)), src)
		var list verbatim.List
		require.Error(t, json.Unmarshal([]byte("["+src+"]"), &list), src)
	}
	list := verbatim.List{"a"}
	require.NoError(t, json.Unmarshal([]byte("null"), &list))
	assert.Nil(t, list)
}

func FuzzText(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte(`"` + p + `"`))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var text verbatim.Text
		if json.Unmarshal(src, &text) != nil {
			_ = text.UnmarshalJSON(src) // any result but a panic
			return
		}
		again, err := json.Marshal(text)
		require.NoError(t, err)
		var back verbatim.Text
		require.NoError(t, json.Unmarshal(again, &back))
		require.Equal(t, text, back)
	})
}
