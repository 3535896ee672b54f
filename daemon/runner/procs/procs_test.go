//go:build linux

package procs_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/procs"
)

// patience bounds every wait of the tests.
const patience = 20 * time.Second

// headless makes the test binary a process whose first thread ends at once, while others go on.
const headless = "headless"

func init() {
	if len(os.Args) == 2 && os.Args[1] == headless {
		runtime.LockOSThread()
		go func() {
			fmt.Println("up")
			select {}
		}()
		go func() { time.Sleep(time.Hour) }()
		for {
			syscall.Syscall(syscall.SYS_EXIT, 0, 0, 0)
		}
	}
}

// begin starts a process that ends with the test, and all below it.
func begin(t *testing.T, cmd *exec.Cmd) procs.Process {
	t.Helper()
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		for _, below := range procs.Descendants(cmd.Process.Pid) {
			below.Kill()
		}
		cmd.Process.Kill()
		cmd.Wait()
	})
	return look(t, cmd.Process.Pid)
}

func look(t *testing.T, pid int) procs.Process {
	t.Helper()
	p, err := procs.Read(pid)
	require.NoError(t, err)
	return p
}

// sleeper is a process that does nothing.
func sleeper(t *testing.T) procs.Process {
	t.Helper()
	return begin(t, exec.Command("sleep", "1000"))
}

// beheaded is a process whose first thread has ended.
func beheaded(t *testing.T, variables ...string) procs.Process {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, headless)
	cmd.Env = append(os.Environ(), variables...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	p := begin(t, cmd)
	require.True(t, bufio.NewScanner(out).Scan())
	require.Eventually(t, func() bool { return state(t, p.PID) == "Z" }, patience, time.Millisecond)
	return look(t, p.PID)
}

// zombie is a process that has ended, of which this one has not taken notice.
func zombie(t *testing.T) procs.Process {
	t.Helper()
	p := sleeper(t)
	require.NoError(t, unix.Kill(p.PID, unix.SIGKILL))
	require.Eventually(t, func() bool { return state(t, p.PID) == "Z" }, patience, time.Millisecond)
	return p
}

// gone is a process that there was.
func gone(t *testing.T) procs.Process {
	t.Helper()
	cmd := exec.Command("sleep", "1000")
	p := begin(t, cmd)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	return p
}

// becomes waits until a process runs a command: the kernel shows it a moment after its start.
func becomes(t *testing.T, pid int, command ...string) {
	t.Helper()
	require.Eventually(t, func() bool {
		now, err := procs.Command(pid)
		return err == nil && slices.Equal(now, command)
	}, patience, time.Millisecond)
}

// status returns a line of /proc/PID/status, which is made for people and has names.
func status(t *testing.T, pid int, name string) []string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, after, found := strings.Cut(string(text), "\n"+name+":")
	require.True(t, found)
	line, _, _ := strings.Cut(after, "\n")
	return strings.Fields(line)
}

func state(t *testing.T, pid int) string {
	t.Helper()
	return status(t, pid, "State")[0]
}

// descriptors counts what this process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(all)
}

func pidsOf(all []procs.Process) (pids []int) {
	for _, p := range all {
		pids = append(pids, p.PID)
	}
	slices.Sort(pids)
	return pids
}

// A process may have any name, also a name that looks like the next fields.
func TestReadOfAnyName(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	require.NoError(t, err)
	program, err := os.ReadFile(sleep)
	require.NoError(t, err)
	for _, name := range []string{"plain", "two words", ") Z 1 2 3", "((", "line\nend)"} {
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(file, program, 0o700))
		p := begin(t, exec.Command(file, "1000"))
		require.Eventually(t, func() bool {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", p.PID))
			return err == nil && string(text) == name+"\n"
		}, patience, time.Millisecond)
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.PID))
		require.NoError(t, err)
		rest := strings.Fields(strings.ReplaceAll(string(text), name, "NAME"))
		assert.Equal(t, rest[21], p.Start, name)
		assert.False(t, p.IsTop())
		assert.Equal(t, []int{p.PID, os.Getpid()}, []int{procs.Lineage(p.PID)[0].PID, procs.Lineage(p.PID)[1].PID})
	}
}

func TestReadOfNone(t *testing.T) {
	pid := gone(t).PID
	_, err := procs.Read(pid)
	assert.Equal(t, procs.ErrEnded, err)
	_, err = procs.IsMarked(pid, "A=1")
	assert.Equal(t, procs.ErrEnded, err)
}

// What /proc has never shown so far is no process.
func TestParse(t *testing.T) {
	const whole = "7 (a) Z 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1 18 19"
	p, err := procs.Parse(7, whole)
	require.NoError(t, err)
	assert.Equal(t, "19", p.Start)
	assert.True(t, procs.HasEnded(p))
	for text, ended := range map[string]bool{
		strings.Replace(whole, " 16 1 ", " 16 0 ", 1): true,
		strings.Replace(whole, " 16 1 ", " 16 2 ", 1): false,
		strings.Replace(whole, "Z", "X", 1):           true,
		strings.Replace(whole, "Z", "S", 1):           false,
	} {
		p, err := procs.Parse(7, text)
		require.NoError(t, err)
		assert.Equal(t, ended, procs.HasEnded(p), text)
	}
	for _, text := range []string{
		"", "7 (a)", strings.TrimSuffix(whole, " 19"), strings.Replace(whole, "Z 1", "Z one", 1),
		strings.Replace(whole, " 16 1 ", " 16 one ", 1),
	} {
		_, err := procs.Parse(7, text)
		assert.ErrorContains(t, err, "/proc/7/stat", text)
		assert.NotErrorIs(t, err, procs.ErrEnded)
	}
}

// Without a free descriptor a process cannot be read. It is not taken for a process that has ended.
func TestNothingIsKnownWithoutDescriptors(t *testing.T) {
	p := sleeper(t)
	runtime.GC() // the runtime closes descriptors of former tests at any time
	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	defer func() { require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)) }()
	first, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0) // the lowest that is free
	require.NoError(t, err)
	unix.Close(first)
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(first), Max: limit.Max}))
	_, err = procs.Read(p.PID)
	assert.ErrorIs(t, err, unix.EMFILE)
	_, err = procs.Command(p.PID)
	assert.ErrorIs(t, err, unix.EMFILE)
	_, err = procs.Open(p.PID, p.Start)
	assert.ErrorIs(t, err, unix.EMFILE)
	assert.ErrorContains(t, err, "open process ")
	assert.Empty(t, procs.Lineage(p.PID))
	assert.Empty(t, procs.Descendants(os.Getpid()))
	_, err = procs.Marked("A=1")
	assert.ErrorIs(t, err, unix.EMFILE)

	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(first + 1), Max: limit.Max}))
	for range 2 { // the only one is free again
		_, err = procs.Open(p.PID, p.Start)
		assert.ErrorIs(t, err, unix.EMFILE)
		assert.NotErrorIs(t, err, procs.ErrEnded)
		assert.ErrorContains(t, err, "/stat")
	}
}

// Descendants are all processes below, in any session, also below a process that has ended or lost
// its first thread.
func TestDescendants(t *testing.T) {
	top := exec.Command("sh", "-c", "sleep 1000 & setsid sh -c 'sleep 1000 & echo; exec sleep 1000' & wait")
	out, err := top.StdoutPipe()
	require.NoError(t, err)
	first := begin(t, top)
	require.True(t, bufio.NewScanner(out).Scan())
	below := procs.Descendants(first.PID)
	t.Cleanup(func() {
		for _, p := range below {
			p.Kill()
		}
	})
	require.Len(t, below, 3)
	for _, p := range below {
		becomes(t, p.PID, "sleep", "1000")
		line := pidsOf(procs.Lineage(p.PID))
		assert.Contains(t, line, first.PID)
		assert.Contains(t, line, os.Getpid())
	}
	other, ended := beheaded(t), zombie(t)
	all := pidsOf(procs.Descendants(os.Getpid()))
	assert.Subset(t, all, append(pidsOf(below), first.PID, other.PID))
	assert.NotContains(t, all, ended.PID)
	assert.NotContains(t, all, os.Getpid())
	assert.Empty(t, procs.Descendants(other.PID))
}

// A lineage goes up to the process without a parent.
func TestLineage(t *testing.T) {
	line := procs.Lineage(os.Getpid())
	require.NotEmpty(t, line)
	for i, p := range line {
		assert.Equal(t, i == len(line)-1, p.IsTop())
		parent := 0
		if i+1 < len(line) {
			parent = line[i+1].PID
		}
		assert.Equal(t, []string{fmt.Sprint(parent)}, status(t, p.PID, "PPid"))
	}
	assert.Equal(t, os.Getpid(), line[0].PID)
	assert.Empty(t, procs.Lineage(gone(t).PID))
}

func TestCommand(t *testing.T) {
	words := []string{"sh", "-c", "sleep 1000; :", "", "b c", ""}
	becomes(t, begin(t, exec.Command(words[0], words[1:]...)).PID, words...)
	command, err := procs.Command(zombie(t).PID)
	require.NoError(t, err)
	assert.Empty(t, command)
	_, err = procs.Command(gone(t).PID)
	assert.Equal(t, procs.ErrEnded, err)
}

// Open opens exactly the process that was meant, and holds nothing otherwise.
func TestOpen(t *testing.T) {
	p, headless, ended, none := sleeper(t), beheaded(t), zombie(t), gone(t)
	held := descriptors(t)
	for _, p := range []procs.Process{p, headless} {
		fd, err := procs.Open(p.PID, p.Start)
		require.NoError(t, err)
		text, err := os.ReadFile(fmt.Sprintf("/proc/self/fdinfo/%d", fd))
		require.NoError(t, err)
		assert.Contains(t, string(text), fmt.Sprintf("\nPid:\t%d\n", p.PID))
		assert.False(t, procs.Ended(fd, 0))
		unix.Close(fd)
	}
	for _, p := range []procs.Process{ended, none, {PID: p.PID, Start: ended.Start + "1"}} {
		_, err := procs.Open(p.PID, p.Start)
		assert.Equal(t, procs.ErrEnded, err)
	}
	assert.Equal(t, held, descriptors(t))
}

// The number of a thread is that of no process.
func TestOpenOfAThread(t *testing.T) {
	ids, end := make(chan int), make(chan struct{})
	defer close(end)
	for range 2 { // one of them may have the first thread
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ids <- unix.Gettid()
			<-end
		}()
	}
	for range 2 {
		if id := <-ids; id != os.Getpid() {
			_, err := procs.Open(id, look(t, id).Start)
			assert.Equal(t, procs.ErrEnded, err)
		}
	}
}

// Kill ends exactly one process, also one whose first thread has ended.
func TestKill(t *testing.T) {
	a, b := exec.Command("sleep", "1000"), exec.Command("sleep", "1000")
	first, second := begin(t, a), begin(t, b)
	held := descriptors(t)
	procs.Process{PID: second.PID, Start: first.Start + "1"}.Kill() // another one of that number
	first.Kill()
	assert.Equal(t, held, descriptors(t))
	require.Error(t, a.Wait())
	assert.Equal(t, syscall.SIGKILL, a.ProcessState.Sys().(syscall.WaitStatus).Signal())
	assert.False(t, procs.HasEnded(look(t, second.PID)))
	second.Kill()
	require.Error(t, b.Wait())
	first.Kill()

	other := beheaded(t)
	other.Kill()
	require.Eventually(t, func() bool { return procs.HasEnded(look(t, other.PID)) }, patience, time.Millisecond)
}

// Ended waits for one process, through signals that interrupt it, and no longer than it may.
func TestEnded(t *testing.T) {
	p := sleeper(t)
	fd, err := procs.Open(p.PID, p.Start)
	require.NoError(t, err)
	defer unix.Close(fd)
	assert.False(t, procs.Ended(fd, 0))
	assert.False(t, procs.Ended(fd, 10*time.Millisecond))
	thread, ended := make(chan int), make(chan bool)
	go func() {
		runtime.LockOSThread()
		thread <- unix.Gettid()
		ended <- procs.Ended(fd, patience)
	}()
	id := <-thread
	for range 50 {
		require.NoError(t, unix.Tgkill(os.Getpid(), id, unix.SIGURG))
		time.Sleep(100 * time.Microsecond)
	}
	p.Kill()
	assert.True(t, <-ended)
	assert.True(t, procs.Ended(fd, 0))
}

// Marked are the processes with exactly this variable, in any position.
func TestMarked(t *testing.T) {
	with := func(variables ...string) procs.Process {
		cmd := exec.Command("sleep", "1000")
		cmd.Env = variables
		return begin(t, cmd)
	}
	mark := fmt.Sprintf("CANVASS_TREE=%d", time.Now().UnixNano())
	marked := []procs.Process{
		with(mark), with(mark, "B=2"), with("A=1", mark), with("A=1", mark, "B=2"), beheaded(t, mark),
	}
	with("A" + mark)
	with(mark + "0")
	with()
	ended := zombie(t)
	all, err := procs.Marked(mark)
	require.NoError(t, err)
	assert.Equal(t, pidsOf(marked), pidsOf(all))
	assert.NotContains(t, pidsOf(all), ended.PID)
}

// A process that is closed to this user does not count as marked, and is no reason to look again.
func TestMarkedOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	cmd := exec.Command("sleep", "1000")
	cmd.Env = []string{"A=1"}
	begin(t, cmd)
	var all []procs.Process
	var err error
	done := make(chan syscall.Errno)
	go func() {
		runtime.LockOSThread() // never unlocked: only this thread is another user
		const user = 65534
		_, _, failed := syscall.RawSyscall(syscall.SYS_SETRESUID, user, user, user)
		all, err = procs.Marked("A=1")
		done <- failed
	}()
	require.Zero(t, <-done)
	require.NoError(t, err)
	assert.Empty(t, all)
}
