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
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/tasks"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
)

// frame is the part of a question or an answer that the tests read.
type frame struct {
	ID     uint64          `json:"id"`
	Method string          `json:"method"`
	Body   json.RawMessage `json:"body"`
}

func read(t *testing.T, text []byte) (f frame) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, &f))
	return f
}

// question is the frame of a question.
func question(method, body string) []byte {
	return fmt.Appendf(nil, `{"id":1,"method":%q,"body":%s}`, method, body)
}

// answer is the frame of an answer.
func answer(t *testing.T, id uint64, body string) []byte {
	t.Helper()
	return fmt.Appendf(nil, `{"id":%d,"body":%s}`, id, body)
}

// rejecting are links that count how often each node was rejected.
type rejecting struct {
	life.Links
	rejected map[protocol.NodeID]int
	sent     chan string
}

func (r rejecting) Send(to protocol.NodeID, _ transport.Channel, _ uint8, payload []byte) {
	r.sent <- string(payload)
}

func (r rejecting) Reject(from protocol.NodeID) { r.rejected[from]++ }

// Invalid data ends the connection each time, and adds a line to the log now and then.
func TestWhatCannotBeUsedEndsTheConnection(t *testing.T) {
	s := newSurveyor(t)
	var lines bytes.Buffer
	s.Log = slog.New(slog.NewTextHandler(&lines, nil))
	s.Restored = true
	links := rejecting{s.Node.Links, map[protocol.NodeID]int{}, make(chan string, 1000)}
	s.Node.Links = links
	sender, other := protocol.NodeID{Address: 9, Incarnation: 1}, protocol.NodeID{Address: 8, Incarnation: 1}
	for range 100 {
		s.Calls.Receive(sender, []byte("no JSON"))
		s.Calls.Receive(sender, question("keep", `{"version":2}`))
		s.Calls.Receive(sender, question("blob", `{"digest":"x"}`))
		s.deliver(sender, 99, nil)
		s.deliver(sender, life.CoreFrame, []byte{255})
		s.deliver(sender, life.JobFrame, nil)
	}
	s.Calls.Receive(other, nil)
	s.Calls.Receive(other, question("echo", "null"))
	assert.Equal(t, map[protocol.NodeID]int{sender: 600, other: 1}, links.rejected)
	assert.Equal(t, 2, strings.Count(lines.String(), "\n"), lines.String())
	assert.Equal(t, uint64(601), s.breaches.Unreadable)
}

// onDisk is a host that has nothing but working folders.
type onDisk struct {
	host.Host
	folders *host.Folders
}

func (d onDisk) OpenFile(attempt, name string) (io.ReadSeekCloser, error) {
	return d.folders.OpenFile(attempt, name)
}

// A member can read the outputs that a host has reported, and no other file of a job. A named pipe
// in place of one keeps neither the node nor the member waiting.
func TestOnlyOutputsThatWereToldAreRead(t *testing.T) {
	s := newSurveyor(t)
	s.Options.Folder = t.TempDir()
	folders := host.OpenFolders(s.Options.Folder, s.Log)
	t.Cleanup(folders.Close)
	s.Inbox, s.Stopped, s.Host = make(chan func(), 1), make(chan struct{}), onDisk{folders: folders}
	links := rejecting{s.Node.Links, map[protocol.NodeID]int{}, make(chan string, 1)}
	s.Node.Links = links
	id := life.MusterID(here, 1)
	a := &tasks.Attempt{ID: id}
	for _, name := range []string{"o", "pipe", "link"} {
		a.Told.Outputs = append(a.Told.Outputs, jobs.File{Path: verbatim.Text(name)})
	}
	s.attempts.All[id] = a
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
		s.Calls.Receive(protocol.NodeID{Address: 9, Incarnation: 1}, question("content", body))
		said := ""
		for said == "" { // a file is read beside the loop, which then answers
			for _, f := range s.Durable {
				f()
			}
			s.Durable = nil
			select {
			case f := <-s.Inbox:
				f()
			case said = <-links.sent:
			default:
				time.Sleep(time.Millisecond)
			}
		}
		assert.Contains(t, said, want, name)
	}
}
