//go:build linux

package runner_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// nobody is a user without rights.
const nobody = 65534

// workFolder is where the working folders of tasks are, in the folder of a daemon.
const workFolder = "work"

// veils are the ways to hide files that an isolation can have.
func veils(isolation string) []string {
	if isolation == runner.PIDNamespace {
		return []string{veil.Mounts, veil.Landlock}
	}
	return []string{veil.Landlock}
}

// attack tries to reach the folder $1 of a daemon, whose process is $2, from a working folder two
// levels below. It prints a line for each way that succeeds.
const attack = `
try() { if timeout 5 "$@" >/dev/null 2>&1; then echo "reached by: $*"; fi; }
folder=$1; daemon=$2; work=work
echo mine > own && cat own
cat "$folder/../beside"; echo changed >> "$folder/../beside"
ln -s "$folder" link; ln -s ../.. up
for name in "$folder" "$folder/../$(basename "$folder")" ../.. link up; do
	try cat "$name/secret"
	try cat "$name/$work/2/secret"
	try cp "$name/secret" copy
	try ln "$name/secret" hard
	try mv "$name/secret" moved
	try sh -c "echo x > '$name/secret'"
	try truncate -s 0 "$name/secret"
	try rm "$name/$work/2/secret"
	try "$name/program"
done
test -e own && test ! -e copy && test ! -e hard && echo own files only
for p in $PPID 1 $daemon; do
	test -d /proc/$p || continue
	test $p = 1 && test "$(cut -d' ' -f4 /proc/1/stat)" != 0 && continue
	case "$(tr '\0' ' ' < /proc/$p/cmdline)" in *shim*|*daemon*|*.test*) ;; *) continue ;; esac
	try cat "/proc/$p/root$folder/secret"
	try ls "/proc/$p/cwd/"
	try cat "/proc/$p/environ"
	try readlink "/proc/$p/exe"
	for fd in 0 1 2 3 4 5 6 7 8 9 10 11 12; do try sh -c ": 3<> /proc/$p/fd/$fd"; try sh -c "echo > /proc/$p/fd/$fd"; done
	for thread in /proc/$p/task/*; do try cat "$thread/root$folder/secret"; done
done
try umount "$folder"
try umount -l "$folder"
try mount -t tmpfs none "$folder"
try unshare -Urm cat "$folder/secret"
try unshare -Urm sh -c "umount '$folder'; umount -l '$folder'; cat '$folder/secret'"
try unshare -Urm sh -c "mount --bind '$folder/..' /mnt && cat '/mnt/$(basename "$folder")/secret'"
try unshare -Urpfm --mount-proc cat "/proc/$daemon/root$folder/secret"
try nsenter -t 1 -m cat "$folder/secret"
echo end
`

// tried is the output of an attack that reaches nothing.
const tried = "mine\nbeside\nown files only\nend\n"

// folderWithSecrets makes the folder of a daemon, and a file beside it.
func folderWithSecrets(t *testing.T) (folder string) {
	t.Helper()
	dir := t.TempDir()
	folder = filepath.Join(dir, "data")
	for name, text := range map[string]string{
		"data/secret": "key", "data/" + workFolder + "/1/input": "", "data/" + workFolder + "/2/secret": "other",
		"data/program": "#!/bin/sh\n", "beside": "beside\n",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
	}
	return folder
}

// Hidden: a task reaches nothing in the folder of its daemon but its own files, under any name of
// the folder, and nothing by the processes of daemon and shim.
func TestTheFolderOfTheDaemonIsHidden(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		for _, way := range veils(isolation) {
			for _, name := range []string{"data", "link/data", "./data/../data"} {
				t.Run(way+" "+name, func(t *testing.T) { testHidden(t, isolation, way, name) })
			}
		}
	})
}

func testHidden(t *testing.T, isolation, way, name string) {
	folder := folderWithSecrets(t)
	t.Chdir(filepath.Dir(folder))
	require.NoError(t, os.Symlink(".", "link"))
	hide := func() []string { return []string{name, "none"} }
	r, err := runner.New(runner.Config{Binary: self(), Dir: t.TempDir(), Isolation: isolation, Veil: way, Hide: hide})
	if err != nil {
		t.Skip("this machine does not allow it: ", err)
	}
	defer r.Close()
	p, err := r.Start(runner.Task{
		ID: "1", Command: []string{"sh", "-c", attack, "sh", folder, itoa(os.Getpid())},
		Dir: filepath.Join(name, workFolder, "1"), Stdout: name + "/out", Stderr: name + "/err",
	})
	require.NoError(t, err)
	assert.Equal(t, runner.Exit{}, exit(t, p))
	assert.Equal(t, tried, read(t, filepath.Join(folder, "out")), read(t, filepath.Join(folder, "err")))
	assert.Equal(t, "key", read(t, filepath.Join(folder, "secret")))
	assert.Equal(t, "other", read(t, filepath.Join(folder, workFolder, "2/secret")))
	assert.Equal(t, "mine\n", read(t, filepath.Join(folder, workFolder, "1/own")))
	assert.Equal(t, "beside\nchanged\n", read(t, "beside"))
}

// A task may remove its working folder, if that is alone in a folder that it sees.
func TestATaskRemovesItsFolder(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		folder := folderWithSecrets(t)
		hide := func() []string { return []string{folder} }
		r, err := runner.New(runner.Config{Binary: self(), Dir: t.TempDir(), Isolation: isolation, Hide: hide})
		if err != nil {
			t.Skip("this machine does not allow it: ", err)
		}
		defer r.Close()
		own := filepath.Join(folder, workFolder, "1", "own")
		require.NoError(t, os.Mkdir(own, 0o700))
		p, err := r.Start(runner.Task{
			ID: "1", Command: sh(`rm -r "$PWD" && ! cat ../../2/secret`), Dir: own, Shown: filepath.Dir(own),
		})
		require.NoError(t, err)
		assert.Equal(t, runner.Exit{}, exit(t, p))
		assert.NoDirExists(t, own)
	})
}

// The same for a daemon without rights.
func TestTheFolderIsHiddenWithoutRoot(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		for _, way := range veils(isolation) {
			t.Run(way, func(t *testing.T) {
				folder := folderWithSecrets(t)
				assert.Equal(t, tried, attackAsNobody(t, folder, isolation, way))
				assert.Equal(t, "key", read(t, folder+"/secret"))
			})
		}
	})
}

// A daemon of root may lack the right to mount, as in a container. There, too, its tasks have users
// of their own, and do not see its folder.
func TestRootWithoutTheRightToMount(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("it takes root")
	}
	folder := folderWithSecrets(t)
	reachable(t, filepath.Dir(folder))
	require.NoError(t, os.Chmod(filepath.Join(folder, "../beside"), 0o666))
	cmd := exec.Command(self(), "daemon", folder, runner.PIDNamespace, "sh", "-c",
		attack+"id -u; id -G; echo over; sleep 1000", "sh", folder, "$PID")
	cmd.Env = append(os.Environ(), "VEIL="+veil.Mounts, "TASK_USER=1900000000")
	runtime.LockOSThread() // never unlocked: the thread ends with the test
	require.NoError(t, unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_SYS_ADMIN, 0, 0, 0))
	begin(t, cmd, runner.PIDNamespace)
	var printed string
	require.Eventually(t, func() bool {
		printed = read(t, filepath.Join(folder, "out"))
		return strings.HasSuffix(printed, "over\n")
	}, patience, time.Millisecond)
	assert.Equal(t, tried+strings.Repeat("1900000000\n", 2)+"over\n", printed)
}

// Whether files are hidden or not, a task cannot use what daemon and shim have open.
func TestDaemonAndShimAreClosed(t *testing.T) {
	each(t, func(t *testing.T, isolation string) {
		folder := folderWithSecrets(t)
		printed := attackAsNobody(t, folder, isolation, veil.None)
		assert.Contains(t, printed, "reached by")
		assert.NotContains(t, printed, "/proc/")
	})
}

// attackAsNobody runs the attack in a task of a daemon without rights, and returns what it prints.
func attackAsNobody(t *testing.T, folder, isolation, way string) (printed string) {
	t.Helper()
	command := []string{"sh", "-c", attack + "sleep 1000", "sh", folder, "$PID"}
	begin(t, asNobody(t, filepath.Dir(folder), isolation, way, command...), isolation)
	require.Eventually(t, func() bool {
		printed = read(t, filepath.Join(folder, "out"))
		return strings.HasSuffix(printed, "end\n")
	}, patience, time.Millisecond)
	return printed
}

// reachable lets other users reach a folder of a test.
func reachable(t *testing.T, dir string) {
	t.Helper()
	for top := dir; top != os.TempDir() && top != "/"; top = filepath.Dir(top) {
		require.NoError(t, os.Chmod(top, 0o755))
	}
}

// asNobody is a daemon of another user, whose folder is below that one.
func asNobody(t *testing.T, dir, isolation, way string, command ...string) *exec.Cmd {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("all tests run without root already")
	}
	binary, err := os.ReadFile(self())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "binary"), binary, 0o755))
	reachable(t, dir)
	require.NoError(t, filepath.Walk(dir, func(name string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Lchown(name, nobody, nobody))
	}))
	args := append([]string{"daemon", filepath.Join(dir, "data"), isolation}, command...)
	cmd := exec.Command(filepath.Join(dir, "binary"), args...)
	cmd.Env = append(os.Environ(), "VEIL="+way)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return cmd
}

// Without hiding, the attacks of this file succeed.
func TestTheAttackSucceedsOtherwise(t *testing.T) {
	folder := folderWithSecrets(t)
	r, err := runner.New(runner.Config{Binary: self(), Dir: t.TempDir(), Veil: veil.None})
	require.NoError(t, err)
	defer r.Close()
	p, err := r.Start(runner.Task{
		ID: "1", Command: []string{"sh", "-c", attack, "sh", folder, "1"},
		Dir: filepath.Join(folder, workFolder, "1"), Stdout: folder + "/out",
	})
	require.NoError(t, err)
	exit(t, p)
	for _, way := range []string{"cat", "cp", "ln", "mv", "truncate -s 0"} {
		assert.Contains(t, read(t, folder+"/out"), "reached by: "+way+" "+folder+"/secret")
	}
}

// A task cannot move the deadline of its node's tasks: the memory can be written by one mapping
// only.
func TestTheDeadlineIsSealed(t *testing.T) {
	d, err := shim.NewDeadline()
	require.NoError(t, err)
	defer d.Close()
	if d.Open != nil {
		t.Skip("this kernel cannot seal: ", d.Open)
	}
	d.Extend(shim.Boottime())
	_, err = d.File.WriteAt(make([]byte, 8), 0)
	assert.ErrorIs(t, err, syscall.EPERM)
	again, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", d.File.Fd()), os.O_RDWR, 0)
	require.NoError(t, err)
	defer again.Close()
	_, err = again.WriteAt(make([]byte, 8), 0)
	assert.ErrorIs(t, err, syscall.EPERM)
	assert.ErrorIs(t, again.Truncate(0), syscall.EPERM)
	_, err = syscall.Mmap(int(again.Fd()), 0, 8, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	assert.ErrorIs(t, err, syscall.EPERM)
	d.Extend(shim.Boottime() + time.Hour) // the daemon still can
}
