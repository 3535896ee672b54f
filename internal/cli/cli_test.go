package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/internal/cli"
)

// failing accepts a number of writes and then fails.
type failing struct {
	left  int
	err   error
	tries int
}

// Write fails at last.
func (f *failing) Write(p []byte) (int, error) {
	f.tries++
	if f.left--; f.left < 0 {
		return 0, f.err
	}
	return len(p), nil
}

// Lost output outranks every other end of a command, and is reported once.
func TestLostOutputIsAnError(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	const message = "canvass: cannot write to standard output: no space left on device\n"
	for _, test := range []struct {
		name  string
		cause error
		ends  func(written error) error
		code  int
		said  string
	}{
		{"the command says nothing of it", full, func(error) error { return nil }, 1, message},
		{"the command returns it", full, func(err error) error { return fmt.Errorf("list: %w", err) }, 1, message},
		{"the command has a code", full, func(error) error { return cli.Code(12) }, 1, message},
		{"the command has another error", full, func(error) error { return errors.New("no daemon") }, 1,
			"canvass: no daemon\n" + message},
		{"a closed pipe", syscall.EPIPE, func(error) error { return nil }, 141, ""},
		{"a closed pipe, returned", syscall.EPIPE, func(err error) error { return err }, 141, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var said bytes.Buffer
			to := &failing{left: 1, err: test.cause}
			out := cli.NewOutput(to)
			require.NoError(t, out.Printf("first\n"))
			select {
			case <-out.Failed():
				t.Fatal("nothing has failed yet")
			default:
			}
			_, written := fmt.Fprintln(out, "second")
			require.ErrorIs(t, written, cli.ErrOutput)
			assert.Equal(t, test.cause == syscall.EPIPE, errors.Is(written, cli.ErrClosed))
			<-out.Failed()
			assert.ErrorIs(t, out.JSON(1), cli.ErrOutput)
			assert.ErrorIs(t, out.Table(&cli.Table{Rows: [][]string{{"x"}}}), cli.ErrOutput)
			_, raw := io.WriteString(out.Raw(), "raw")
			assert.ErrorIs(t, raw, cli.ErrOutput)
			assert.Equal(t, 2, to.tries, "nothing is written after an error")
			assert.Equal(t, test.code, cli.Exit(test.ends(written), out, cli.NewMessages(&said)))
			assert.Equal(t, test.said, said.String())
		})
	}
}

// A context of an output ends with it.
func TestContextEndsWithTheOutput(t *testing.T) {
	out := cli.NewOutput(&failing{err: syscall.EPIPE})
	ctx, stop := out.Context(t.Context())
	defer stop()
	require.NoError(t, ctx.Err())
	_, _ = fmt.Fprintln(out)
	<-ctx.Done()
	assert.Eventually(t, func() bool { return ctx.Err() != nil }, 1e9, 1e6)
}

func TestExitCodes(t *testing.T) {
	for _, test := range []struct {
		err  error
		code int
		said string
	}{
		{nil, 0, ""},
		{errors.New("open x: no such file"), 1, "canvass: open x: no such file\n"},
		{cli.Usagef("--n %d: want 1", 7), 2, "canvass: --n 7: want 1\n"},
		{fmt.Errorf("job.toml: %w", cli.Usagef("tasks: want 1")), 2, "canvass: job.toml: tasks: want 1\n"},
		{cli.WithCode(cli.CodeUnknown, errors.New("no such job")), 7, "canvass: no such job\n"},
		{fmt.Errorf("wait: %w", cli.WithCode(cli.CodeUnknown, errors.New("no such job"))), 7,
			"canvass: wait: no such job\n"},
		{cli.Code(12), 12, ""},
		{errors.Join(cli.Usagef("a"), errors.New("b")), 2, "canvass: a\ncanvass: b\n"},
		{fmt.Errorf("close: %w", errors.Join(errors.New("a"), errors.New("b"))), 1, "canvass: close: a; b\n"},
		{fmt.Errorf("open \x1b]0;x\a\n: none"), 1, `canvass: open \x1b]0;x\x07\n: none` + "\n"},
	} {
		var said bytes.Buffer
		assert.Equal(t, test.code, cli.Exit(test.err, cli.NewOutput(io.Discard), cli.NewMessages(&said)), "%v",
			test.err)
		assert.Equal(t, test.said, said.String())
	}
}

// harmful reports whether a terminal could take something in a text for more than letters.
func harmful(text string, lines bool) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && (!lines || r != '\n' && r != '\t') || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e
	})
}

func TestEscapeIsHarmlessAndOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"plain, säule, 日本, \\n": "plain, säule, 日本, \\n", "\x1b[2J": `\x1b[2J`, "a\nb\r\tc": `a\nb\r\tc`,
		"b\xe9":    `b\xe9`,
		"\u009b2J": `\u009b2J`, "\u202egnp.exe": `\u202egnp.exe`, "\x7f\x00": `\x7f\x00`, "\U000e0001": `\U000e0001`,
	} {
		assert.Equal(t, want, cli.Escape(text))
	}
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		safe := cli.Escape(text)
		assert.False(t, harmful(safe, false), "%q", safe)
		assert.True(t, utf8.ValidString(safe))
		assert.Equal(t, safe, cli.Escape(safe))
	})
}

// No way to an output or to messages but Raw lets a control character pass.
func TestOnlyRawIsRaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		width := rapid.IntRange(-1, 100).Draw(t, "width")
		var b, m bytes.Buffer
		out, messages := cli.NewOutput(&b), cli.NewMessages(&m)
		out.Resize(width)
		require.NoError(t, out.Printf("%s %v %q %-*s %v|\n", text, errors.New(text), text, 7, text, stringer(text)))
		require.NoError(t, out.Table(&cli.Table{Rows: [][]string{{text, text}, {"x", text}}, Wrap: width%2 == 0}))
		require.NoError(t, out.JSON(text))
		var back string
		require.NoError(t, json.Unmarshal(b.Bytes()[bytes.LastIndexByte(bytes.TrimRight(b.Bytes(), "\n"), '\n')+1:],
			&back))
		assert.Equal(t, strings.ToValidUTF8(text, "\ufffd"), back)
		_, err := fmt.Fprint(out, text)
		require.NoError(t, err)
		messages.Printf("%s", text)
		fmt.Fprint(messages, text)
		assert.False(t, harmful(b.String(), true), "%q", b.String())
		assert.False(t, harmful(m.String(), true), "%q", m.String())
	})
	var b bytes.Buffer
	_, err := io.WriteString(cli.NewOutput(&b).Raw(), "\x1b[2J\xff")
	require.NoError(t, err)
	assert.Equal(t, "\x1b[2J\xff", b.String())
}

type stringer string

// String is the text itself.
func (s stringer) String() string { return string(s) }

// On a terminal no line of a table is wider than it; elsewhere cells are whole.
func TestTablesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.StringMatching(`[a-zé ]{0,60}`), 1, 8), 1, 5).Draw(t, "rows")
		columns := rapid.IntRange(40, 120).Draw(t, "columns")
		table := &cli.Table{Rows: rows, Wrap: rapid.Bool().Draw(t, "wrap")}
		var narrow, wide bytes.Buffer
		out := cli.NewOutput(&narrow)
		out.Resize(columns)
		require.NoError(t, out.Table(table))
		for line := range strings.Lines(narrow.String()) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), columns, "%s", line)
		}
		require.NoError(t, cli.NewOutput(&wide).Table(table))
		for _, row := range rows {
			for _, cell := range row {
				assert.Contains(t, wide.String(), strings.TrimRight(cell, " "))
			}
		}
	})
}

func ExampleOutput_Table() {
	out := cli.NewOutput(os.Stdout)
	t := &cli.Table{Rows: [][]string{{"node", "zone"}}}
	t.Row("A", "[0, 16) [0, 16)")
	t.Row("B", "a line\nmore")
	_ = out.Table(t)
	// Output:
	// node  zone
	// A     [0, 16) [0, 16)
	// B     a line\nmore
}

// A watched output has failed when its reader has gone, though nothing is written. A write that its
// reader does not take delays no request.
func TestWatchedOutput(t *testing.T) {
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = writer.Close() })
	out := cli.NewOutput(writer)
	defer out.Watch()()
	written := make(chan struct{})
	go func() {
		_, _ = out.Raw().Write(make([]byte, 1<<20)) // more than a pipe takes
		close(written)
	}()
	_, err = io.ReadFull(reader, make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, out.Err())

	reader2, writer2, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = writer2.Close() })
	silent := cli.NewOutput(writer2)
	defer silent.Watch()()
	require.NoError(t, reader2.Close())
	<-silent.Failed()
	require.ErrorIs(t, silent.Err(), cli.ErrClosed)

	require.NoError(t, reader.Close())
	<-written
}

// Only words that are longer than a line are wider than it, and no word is lost.
func TestReflowedTextsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`( {0,12}[a-z]{1,9}( {1,3}[a-z]{1,9}){0,20})?`)
		text := strings.Join(rapid.SliceOfN(line, 0, 9).Draw(t, "lines"), "\n")
		columns := rapid.IntRange(30, 90).Draw(t, "columns")
		for _, reflowed := range []string{cli.Reflow(text, columns), cli.Examples(text, columns)} {
			for line := range strings.Lines(reflowed) {
				assert.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), columns, "%q", line)
			}
			words := strings.Fields(strings.ReplaceAll(reflowed, "\\\n", "\n"))
			assert.Equal(t, strings.Fields(text), words)
		}
	})
	assert.Equal(t, "  # a long remark about a command\n  canvass check can/row3/join-leave \\\n      --reduce\n",
		cli.Examples("  canvass check can/row3/join-leave --reduce   # a long remark about a command\n", 40))
	assert.Equal(t, "  name   a text that\n         goes on\n", cli.Reflow("  name   a text\n         that goes on\n",
		20))
}

// The worse of two codes counts, in either order.
func TestExitCodesOutrank(t *testing.T) {
	order := append(slices.Clone(cli.Worst), cli.CodeOK)
	for i, a := range order {
		for j, b := range order {
			assert.Equal(t, order[min(i, j)], cli.Worse(a, b), "%d and %d", a, b)
		}
	}
}

// A build names its source if it can.
func TestCommit(t *testing.T) {
	for _, c := range []struct {
		build      cli.Build
		linked, as string
	}{
		{cli.Build{Version: "(devel)", Commit: "abc"}, "def", "abc"},
		{cli.Build{Version: "(devel)", Commit: cli.NoCommit}, "def+changes", "def+changes"},
		{cli.Build{Version: "v1.2.3", Commit: cli.NoCommit}, "", "v1.2.3"},
		{cli.Build{Version: "(devel)", Commit: cli.NoCommit}, "", "not-recorded"},
		{cli.Build{Version: cli.NoCommit, Commit: cli.NoCommit}, "", "not-recorded"},
	} {
		b := c.build.WithCommit(c.linked)
		assert.Equal(t, c.as, b.Commit, "%+v linked with %q", c.build, c.linked)
		assert.Equal(t, strings.HasSuffix(c.as, "+changes"), b.Modified, "%+v linked with %q", c.build, c.linked)
	}
}

// Different programs have different names, even without a commit.
func TestProgram(t *testing.T) {
	assert.Equal(t, "abc", cli.Build{Commit: "abc"}.Program())
	assert.Regexp(t, "^abc\\+changes#[0-9a-f]{12}$", cli.Build{Commit: "abc+changes", Modified: true}.Program())
	for _, commit := range []string{cli.NoCommit, "not-recorded"} {
		b := cli.Build{Commit: commit}
		assert.Regexp(t, "^"+commit+"#[0-9a-f]{12}$", b.Program())
		assert.Equal(t, b.Program(), b.Program())
	}
}

// A result is written in the form that the user has asked for.
func TestPrint(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "one\nsome\n"}, {[]string{"--json"}, "1\n\"<2>\"\n\"3\"\n"},
	} {
		var b bytes.Buffer
		out, flags := cli.NewOutput(&b), pflag.NewFlagSet("", pflag.ContinueOnError)
		out.JSONFlag(flags)
		require.NoError(t, flags.Parse(test.args))
		require.NoError(t, out.Print(1, func() error { return out.Printf("one\n") }))
		require.NoError(t, cli.PrintAll(out, []string{"<2>", "3"}, func() error { return out.Printf("some\n") }))
		assert.Equal(t, test.want, b.String())
	}
}
