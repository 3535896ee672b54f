package mutation

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// worker is a process that tries mutants. It is started again after it hung or died.
type worker struct {
	binary      string
	environment string // a variable that the process gets, if it is not empty
	process     *exec.Cmd
	in          io.WriteCloser
	answers     chan Answer
}

// errSilent says that a trial died or did not answer in time.
var errSilent = errors.New("no answer")

// mostMemory bounds the heap of a trial: a mutant may well have states without end.
const mostMemory = "GOMEMLIMIT=2GiB"

func (w *worker) start() error {
	w.process = exec.Command(w.binary, "trial")
	w.process.Env = append(os.Environ(), "GOMAXPROCS=1", mostMemory)
	if w.environment != "" {
		w.process.Env = append(w.process.Env, w.environment)
	}
	var err error
	if w.in, err = w.process.StdinPipe(); err != nil {
		return err
	}
	out, err := w.process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := w.process.Start(); err != nil {
		return err
	}
	w.answers = make(chan Answer)
	go read(out, w.answers)
	return nil
}

func read(from io.Reader, to chan<- Answer) {
	defer close(to)
	for decoder := json.NewDecoder(bufio.NewReader(from)); ; {
		var a Answer
		if decoder.Decode(&a) != nil {
			return
		}
		to <- a
	}
}

// stop ends the process unconditionally.
func (w *worker) stop() {
	if w.process == nil {
		return
	}
	_ = w.process.Process.Kill()
	for range w.answers { // until the reader has gone
	}
	_ = w.process.Wait()
	w.process = nil
}

// ask makes a request and hands each answer to see. If none comes within the time that patience
// allows for the next, the process is stopped and the error is errSilent.
func (w *worker) ask(r Request, patience func(answered int) time.Duration, see func(Answer)) error {
	if w.process == nil {
		if err := w.start(); err != nil {
			return err
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := w.in.Write(append(text, '\n')); err != nil {
		w.stop()
		return fmt.Errorf("%w: %w", errSilent, err)
	}
	for n := 0; ; n++ {
		select {
		case a, ok := <-w.answers:
			switch {
			case !ok:
				w.stop()
				return errSilent
			case a.Error != "":
				w.stop()
				return fmt.Errorf("%s: %s", a.Name, a.Error)
			case a.Name == "":
				return nil
			}
			see(a)
		case <-time.After(patience(n)):
			w.stop()
			return errSilent
		}
	}
}
