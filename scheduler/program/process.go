package program

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
)

// System has the policies that are programs. Users write them, so no list has them.
type System struct {
	// Within is how long an answer may take; 0 is [DefaultWithin].
	Within time.Duration

	// Stderr takes what programs write to their standard error, a line at a time; nil drops it. Runs
	// at the same time write at the same time.
	Stderr io.Writer
}

// DefaultWithin is how long an answer may take unless the system has another limit.
const DefaultWithin = 10 * time.Second

const (
	mostAnswer = 1 << 20     // bytes of an answer
	patience   = time.Second // for the end of a program that has seen the end of its input
	shown      = 60          // bytes of a wrong answer in an error
)

// Policies implements [scheduler.System].
func (System) Policies() []scheduler.Policy { return nil }

// Settings implements [scheduler.System].
func (System) Settings() []scheduler.Setting { return nil }

// Prepare implements [scheduler.System]. The program must be as it was when it got its digest.
func (s System) Prepare(value func(setting string) string) (scheduler.Runner, error) {
	name, err := Resolve(value("policy"))
	if err != nil {
		return nil, err
	}
	o := central.Options{Choice: value("choice"), Passes: value("passes")}
	return func(ctx context.Context, w *scheduler.Workload, g *scheduler.Ground, seed uint64) (*scheduler.Result, error) {
		o := o
		o.Seed = seed
		return s.run(ctx, name, w, g.Platform, o)
	}, nil
}

// run runs a workload with one process.
func (s System) run(
	ctx context.Context, name string, w *scheduler.Workload, g *scheduler.Platform, o central.Options,
) (*scheduler.Result, error) {
	p, err := s.start(ctx, name, newGreeting(g, o.Seed, o.Choice))
	if err != nil {
		return nil, err
	}
	defer p.end()
	policy, _ := s.Policy(name)
	r, err := central.RunBy(ctx, w, g, policy, func(v *central.View) central.Decider {
		return func() error { return p.decide(v) }
	}, o)
	if err != nil {
		return nil, err
	}
	return &scheduler.Result{Records: r.Records, Digest: r.Digest}, nil
}

// process is a program that runs.
type process struct {
	within   time.Duration
	cmd      *exec.Cmd
	stop     context.CancelFunc // kills the process
	greeting *greeting          // nil once it was answered
	in, out  *os.File           // our ends of its standard input and output
	answers  *bufio.Reader      // of out; its size bounds an answer
	request  []byte
	stderr   tail
	died     error // how it has ended; only after end
	killed   bool  // since it did not end after its input had
}

// start starts a program. The end of the context kills it.
func (s System) start(ctx context.Context, name string, g *greeting) (*process, error) {
	words, _ := parse(name)
	ctx, stop := context.WithCancel(ctx)
	p := &process{
		within: cmp.Or(s.Within, DefaultWithin), stop: stop, greeting: g,
		cmd: exec.CommandContext(ctx, words[0], words[1:]...), stderr: tail{to: s.Stderr},
	}
	theirIn, in, errIn := os.Pipe()
	out, theirOut, errOut := os.Pipe()
	p.in, p.out = in, out
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirIn, theirOut, &p.stderr
	p.cmd.WaitDelay = patience // for children that keep the standard error open
	group(p.cmd)
	err := errors.Join(errIn, errOut)
	if err == nil {
		err = p.cmd.Start()
	}
	for _, f := range []*os.File{theirIn, theirOut} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		stop()
		closing := errors.Join(in.Close(), out.Close())
		return nil, errors.Join(usage.Errorf("start policy %q: %v; a script needs its interpreter in the first line, or "+
			"before it: exec:python3 mine.py", name, err), closing)
	}
	p.answers = bufio.NewReaderSize(p.out, mostAnswer)
	return p, nil
}

// end closes the input of the program, gives it a moment to end, and waits for it.
func (p *process) end() {
	if p.died != nil {
		return
	}
	_ = p.in.Close()
	timer := time.AfterFunc(patience, p.stop)
	p.died = cmp.Or(p.cmd.Wait(), io.EOF)
	p.killed = !timer.Stop() && p.cmd.ProcessState != nil && !p.cmd.ProcessState.Exited()
	killGroup(p.cmd) // children that it has left behind
	p.stop()
	_ = p.out.Close()
	p.stderr.flush()
}

// decide asks the program once, and before its first decision greets it.
func (p *process) decide(v *central.View) error {
	if p.greeting != nil {
		if err := p.greet(); err != nil {
			return err
		}
		p.greeting = nil
	}
	p.request = appendRequest(p.request[:0], v)
	line, err := p.ask(p.request)
	if err != nil {
		return err
	}
	var a answer
	err = decode(line, &a, "start", "wake")
	if err == nil {
		err = a.pairs()
	}
	if err != nil {
		return fmt.Errorf(`it answered %s: %w; write one line for each request, such as {"start":[[0,0]]}, and all `+
			`else to the standard error`, excerpt(line), err)
	}
	if err := p.more(); err != nil {
		return err
	}
	for _, s := range a.Start {
		v.Start(s[0], s[1])
	}
	if a.Wake != nil {
		v.Wake(*a.Wake)
	}
	return nil
}

// greet sends the platform and checks the version of the protocol in the answer.
func (p *process) greet() error {
	text, err := json.Marshal(p.greeting)
	if err != nil {
		return err
	}
	line, err := p.ask(append(text, '\n'))
	if err != nil {
		return err
	}
	var back struct {
		Version int `json:"version"`
	}
	if err := decode(line, &back, "version"); err != nil {
		return fmt.Errorf(`it answered the greeting with %s: %w; write {"version":%d}`, excerpt(line), err, version)
	}
	if back.Version != version {
		return fmt.Errorf("it wants version %d of the protocol, and this program has %d; use another release of either",
			back.Version, version)
	}
	return p.more()
}

// ask writes a request and returns the line of the answer, which the next request overwrites.
func (p *process) ask(request []byte) ([]byte, error) {
	limit := time.Now().Add(p.within)
	if err := errors.Join(p.in.SetWriteDeadline(limit), p.out.SetReadDeadline(limit)); err != nil {
		return nil, err
	}
	_, err := p.in.Write(request)
	var line []byte
	if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) { // it may have said why it ended
		line, err = p.answers.ReadSlice('\n')
	}
	switch {
	case err == nil:
		return line, nil
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("its answer has more than %d bytes; write one line for each request", mostAnswer)
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.stop()
		return nil, fmt.Errorf("it gave no answer within %v; write a line for each request and flush it, or raise "+
			"--answer-within", p.within)
	}
	return nil, p.dead()
}

// more refuses a further line after an answer, since no request asked for it.
func (p *process) more() error {
	if p.answers.Buffered() == 0 {
		return nil
	}
	rest, _ := p.answers.Peek(min(p.answers.Buffered(), shown+2))
	rest, _, _ = bytes.Cut(rest, []byte("\n"))
	return fmt.Errorf("it wrote more than one line for a request, the second begins with %s; write one line for each "+
		"request, and all else to the standard error", excerpt(rest))
}

// dead says how the program has ended, and its last line on the standard error.
func (p *process) dead() error {
	p.end()
	if p.killed {
		return errors.New("it closed its standard output without an answer; keep it open until the end of the input")
	}
	how := "code 0"
	if exit := (*exec.ExitError)(nil); errors.As(p.died, &exit) {
		how = exit.Error()
	}
	last := ""
	if words := p.stderr.last(); words != "" {
		last = fmt.Sprintf(", and its last words were %q", words)
	}
	return fmt.Errorf("it ended (%s) without an answer%s; let it read requests until the end of its input", how, last)
}

// excerpt is the beginning of a line, quoted.
func excerpt(line []byte) string {
	text := strings.TrimSpace(string(bytes.ToValidUTF8(line[:min(len(line), shown)], []byte("?"))))
	if len(line) > shown+1 {
		text += "…"
	}
	return fmt.Sprintf("%q", text)
}
