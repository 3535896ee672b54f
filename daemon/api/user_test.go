package api_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
)

// Two users who are neither root nor this one.
const (
	ana = 54321
	bob = 54322
)

// guarded serves a fake on a socket as a daemon does.
func guarded(socket string, inTask func(int) bool) (*http.Server, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	s := &http.Server{
		Handler:           api.Handler(&fake{job: &jobs.Record{ID: "known", State: jobs.Running}}),
		ReadHeaderTimeout: time.Second, ConnContext: api.Guard(inTask),
	}
	go func() { _ = s.Serve(l) }()
	return s, os.Chmod(socket, 0o777) // the lock of the modes is open
}

// other runs in the test binary as another user: it serves a socket, or asks for a job.
func other(does, socket string) {
	if does == "serve" {
		_, err := guarded(socket, func(int) bool { return false })
		fmt.Println("serves", err)
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	_, err := api.NewClient(socket).Job(context.Background(), "known")
	fmt.Println("asked:", errors.Is(err, api.ErrRefused), err)
}

// as starts the test binary as another user, and returns its first line.
func as(t *testing.T, user uint32, does, socket string) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	text, err := os.ReadFile(self)
	require.NoError(t, err)
	binary, err := os.CreateTemp(filepath.Dir(socket), "binary")
	require.NoError(t, err)
	_, err = binary.Write(text)
	require.NoError(t, errors.Join(err, binary.Chmod(0o755), binary.Close()))
	cmd := exec.Command(binary.Name())
	cmd.Env = append(os.Environ(), "API_TEST="+does+" "+socket)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line)
}

// openFolder is a folder that all users can enter and change.
func openFolder(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can be other users")
	}
	folder := t.TempDir()
	require.NoError(t, os.Chmod(folder, 0o777))
	require.NoError(t, os.Chmod(filepath.Dir(folder), 0o755))
	return folder
}

// A daemon serves its own user and root, under any modes of its socket and folder.
func TestAnotherUserIsNotServed(t *testing.T) {
	socket := filepath.Join(openFolder(t), "s")
	s, err := guarded(socket, func(int) bool { return false })
	require.NoError(t, err)
	defer s.Close()
	assert.Equal(t, fmt.Sprintf("asked: true not for this user: user %d is not the user of this daemon", ana),
		as(t, ana, "ask", socket))
	_, err = api.NewClient(socket).Job(t.Context(), "known")
	require.NoError(t, err, "root is")
}

// A client sends nothing to a daemon of another user, but for root.
func TestAnotherUserIsNotAsked(t *testing.T) {
	socket := filepath.Join(openFolder(t), "s")
	require.Equal(t, "serves <nil>", as(t, ana, "serve", socket))
	assert.Equal(t, fmt.Sprintf("asked: true not for this user: %s is served by user %d, and not by yours; "+
		"nothing was sent to it", socket, ana), as(t, bob, "ask", socket))
	assert.Equal(t, "asked: false <nil>", as(t, ana, "ask", socket))
	_, err := api.NewClient(socket).Job(t.Context(), "known")
	require.NoError(t, err, "root may")
}

// Tasks run as the user of the daemon, and are not served.
func TestATaskIsNotServed(t *testing.T) {
	socket, asked := filepath.Join(t.TempDir(), "s"), 0
	s, err := guarded(socket, func(pid int) bool { asked = pid; return true })
	require.NoError(t, err)
	defer s.Close()
	_, err = api.NewClient(socket).Submit(t.Context(), api.Submission{})
	require.ErrorIs(t, err, api.ErrRefused)
	require.ErrorContains(t, err, "a task cannot use the socket of a daemon")
	assert.Equal(t, os.Getpid(), asked)
	_, err = api.NewClient(socket).Metrics(t.Context())
	require.Error(t, err)
}
