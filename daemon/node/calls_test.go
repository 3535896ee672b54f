package node

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
)

// However many questions wait for a node that is out of reach, they are repeated at a pace that
// leaves time for the rest. One question is repeated soon.
func TestManyQuestionsKeepTheirPace(t *testing.T) {
	const lasts = 20 * time.Second
	silent := protocol.NodeID{Address: 9, Incarnation: 1}
	for _, test := range []struct{ questions, least, most int }{
		{1, int(lasts / callRepeat), int(lasts / callRepeat)},
		{2000, int(lasts/callPace) * 9 / 10, int(lasts / callPace)},
	} {
		s := newSurveyor(t)
		s.trips = always(0)
		for range test.questions {
			s.ask(silent, "echo", nil, 0, nil, ignoreAnswer)
		}
		s.pass(lasts)
		repeated := s.echoes[silent] - test.questions
		assert.LessOrEqual(t, repeated, test.most+int(callRepeat/callPace), test.questions)
		assert.GreaterOrEqual(t, repeated, test.least, test.questions)
	}
}

// What another daemon sends is checked when it is decoded, whatever question or answer it is.
func TestBodiesAreChecked(t *testing.T) {
	const attempt = `"by":"A","epoch":1,"job":{"by":"A","number":1}`
	for body, decoded := range map[string]func(json.RawMessage) error{
		`{"digest":"0","offset":0}`:                                                      errorOf[pieceOf],
		`{"digest":"","offset":0}`:                                                       errorOf[pieceOf],
		`{"path":"o","offset":-1}`:                                                       errorOf[pieceOf],
		`{"data":"","size":-1}`:                                                          errorOf[fragment],
		`{` + attempt + `,"hosts":[]}`:                                                   errorOf[permitRequest],
		`{` + attempt + `,"hosts":["A"]}`:                                                errorOf[outcome],
		`{` + attempt + `,"rank":{"outputs":[{"path":"o","sha256":"a"}]}}`:               errorOf[rankReport],
		`{"told":{"outputs":[{"path":"../o"}]}}`:                                         errorOf[holding],
		`{` + attempt + `,"rank":0,"files":[{"path":"o"}]}`:                              errorOf[depositRequest],
		`{` + attempt + `,"rank":-1,"files":[{"path":"o","link":"x"}]}`:                  errorOf[depositRequest],
		`{"custodians":["A"],"spec":{"command":[],"tasks":1}}`:                           errorOf[binding],
		`{"custodians":[],"spec":{"command":["x"],"tasks":1}}`:                           errorOf[binding],
		`{"custodians":["A","B","C","D"],"spec":{"command":["x"],"tasks":1}}`:            errorOf[binding],
		`{"record":{"version":2,"id":"x"}}`:                                              errorOf[copyOf],
		`{` + attempt + `,"hosts":["A"` + strings.Repeat(`,"A"`, jobs.TasksLimit) + `]}`: errorOf[permitRequest],
	} {
		assert.ErrorIs(t, decoded(json.RawMessage(body)), errUnreadable, body)
	}
	most := `{` + attempt + `,"hosts":["A"` + strings.Repeat(`,"A"`, jobs.TasksLimit-1) + `]}`
	assert.NoError(t, errorOf[permitRequest](json.RawMessage(most)))
	assert.NoError(t, errorOf[binding](json.RawMessage(`{"custodians":["A"],"spec":{"command":["x"],"tasks":1}}`)))
}

func errorOf[T any](raw json.RawMessage) error {
	_, err := decode[T](raw)
	return err
}

// rejecting are links that count how often each node was rejected.
type rejecting struct {
	Links
	rejected map[protocol.NodeID]int
	sent     chan string
}

func (r rejecting) Send(to protocol.NodeID, _ transport.Channel, _ uint8, payload []byte) {
	r.sent <- string(payload)
}

func (r rejecting) Reject(from protocol.NodeID) { r.rejected[from]++ }

// What cannot be used ends the connection each time, and is a line in the log now and then.
func TestWhatCannotBeUsedEndsTheConnection(t *testing.T) {
	s := newSurveyor(t)
	var lines bytes.Buffer
	s.log = slog.New(slog.NewTextHandler(&lines, nil))
	s.handlers, s.restored = s.methods(), true
	s.breaches = newBreaches(0)
	links := rejecting{s.links, map[protocol.NodeID]int{}, make(chan string, 1000)}
	s.links = links
	sender, other := protocol.NodeID{Address: 9, Incarnation: 1}, protocol.NodeID{Address: 8, Incarnation: 1}
	for range 100 {
		s.called(sender, []byte("no JSON"))
		s.called(sender, []byte(`{"id":1,"method":"keep","body":{"version":2}}`))
		s.called(sender, []byte(`{"id":1,"method":"blob","body":{"digest":"x"}}`))
		s.deliver(sender, 99, nil)
		s.deliver(sender, coreFrame, []byte{255})
		s.deliver(sender, jobFrame, nil)
	}
	s.called(other, nil)
	s.called(other, []byte(`{"id":1,"method":"echo","body":null}`))
	assert.Equal(t, map[protocol.NodeID]int{sender: 600, other: 1}, links.rejected)
	assert.Equal(t, 2, strings.Count(lines.String(), "\n"), lines.String())
	assert.Equal(t, uint64(601), s.breaches.unreadable)
}

// A question to a life stays one to that life when the answer comes later. It is not taken for a
// question to a dead life, which would be over at once: jobs were accepted so whose inputs were
// still on their way.
func TestAnAnswerThatComesLaterIsWaitedFor(t *testing.T) {
	asked := protocol.NodeID{Address: 9, Incarnation: 2}
	for name, ask := range map[string]func(*surveyor, func(json.RawMessage, error)){
		"life":  func(s *surveyor, done func(json.RawMessage, error)) { s.askLife(asked, "keep", nil, nil, done) },
		"alive": func(s *surveyor, done func(json.RawMessage, error)) { s.askAlive(asked, "keep", nil, 0, nil, done) },
	} {
		s := newSurveyor(t)
		s.trips, s.lives = always(0), map[protocol.Address]uint16{9: 2}
		over := false
		ask(s, func(json.RawMessage, error) { over = true })
		for range 4 {
			s.answered(asked, call{ID: s.lastCall, Later: true})
			s.pass(2 * callRepeat)
		}
		assert.False(t, over, name)
		s.answered(asked, call{ID: s.lastCall, Body: json.RawMessage("{}")})
		assert.True(t, over, name)
	}
}

// onDisk is a host that has nothing but working folders.
type onDisk struct {
	host.Host
	folders *host.Folders
}

func (d onDisk) OpenFile(attempt, name string) (io.ReadSeekCloser, error) {
	return d.folders.OpenFile(attempt, name)
}

// A member can read the outputs that a host has told of, and no other file of a job. A named pipe
// in place of one keeps neither the node nor the member waiting.
func TestOnlyOutputsThatWereToldAreRead(t *testing.T) {
	s := newSurveyor(t)
	s.handlers, s.options.Folder = s.methods(), t.TempDir()
	folders := host.OpenFolders(s.options.Folder, s.log)
	t.Cleanup(folders.Close)
	s.inbox, s.stopped, s.host = make(chan func(), 1), make(chan struct{}), onDisk{folders: folders}
	links := rejecting{s.links, map[protocol.NodeID]int{}, make(chan string, 1)}
	s.links = links
	id := musterID(here, 1)
	a := &attempt{id: id}
	for _, name := range []string{"o", "pipe", "link"} {
		a.told.Outputs = append(a.told.Outputs, jobs.File{Path: verbatim.Text(name)})
	}
	s.attempts[id] = a
	work := folders.Of(a.String())
	require.NoError(t, os.MkdirAll(work, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(work, "o"), []byte("out"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(work, "secret"), []byte("secret"), 0o600))
	require.NoError(t, os.Symlink("secret", filepath.Join(work, "link")))
	require.NoError(t, unix.Mkfifo(filepath.Join(work, "pipe"), 0o600))
	for name, want := range map[string]string{
		"o": `"data":"b3V0"`, "pipe": "but a named pipe", "link": "but a symbolic link", "secret": "has no output",
		"../../node.key": "has no output",
	} {
		body := fmt.Sprintf(`{"by":%q,"epoch":1,"path":%q,"offset":0}`, here, name)
		s.called(protocol.NodeID{Address: 9, Incarnation: 1}, []byte(`{"id":1,"method":"content","body":`+body+`}`))
		said := ""
		for said == "" { // a file is read beside the loop, which then answers
			for _, f := range s.durable {
				f()
			}
			s.durable = nil
			select {
			case f := <-s.inbox:
				f()
			case said = <-links.sent:
			default:
				time.Sleep(time.Millisecond)
			}
		}
		assert.Contains(t, said, want, name)
	}
}
