package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// attack is a script by which a job attacks its host. Each line of its output names a success.
const attack = `
data=%[1]s; socket=%[2]s; daemon=%[3]d; canvass=%[4]s
for f in authority.key node.key canvass.db; do
  for path in $data/$f ../../$f ../../../../$f /proc/$daemon/cwd/$f /proc/$daemon/root$data/$f /proc/1/root$data/$f; do
    head -c 1 $path >/dev/null 2>&1 && echo reads $path
  done
  ln $data/$f stolen 2>/dev/null && echo links $f
done
ls $data/work/*/* 2>/dev/null | grep -q secret && echo sees the files of another task
$canvass status --socket $socket >/dev/null 2>&1 && echo uses the socket
$canvass node token create --socket $socket >/dev/null 2>&1 && echo makes tokens
kill -0 $daemon 2>/dev/null && grep -q agent /proc/$daemon/cmdline && echo signals the daemon
readlink /proc/$daemon/fd/* 2>/dev/null | grep -q canvass.db && echo sees descriptors of the daemon
for p in /proc/[0-9]*/fd/*; do
  readlink $p 2>/dev/null | grep -q deadline && (printf x >$p) 2>/dev/null && echo writes $p
done
grep -q "^CapEff:.*[1-9a-f]" /proc/self/status && echo has capabilities
(setsid sh -c 'exec <&- >&- 2>&-; sleep 7777 & exit 0' &)
ln -s /etc/passwd link; mkdir out; ln -s /etc out/etc; echo kept > out/file
echo tried
`

// attacksItsHost runs a job that tries to reach files, sockets and processes of its host.
func attacksItsHost(t *trial) string {
	g := t.Grid(3)
	beside := g.Must("canvass submit -- sh -c 'echo x > secret; sleep 60'")
	t.Until(10*time.Second, "running", func() bool {
		return strings.Contains(g.Must("canvass status %s", beside), "began")
	})
	id, isolation := "", ""
	for n := 1; n <= 3; n++ {
		script := filepath.Join(t.Folder, fmt.Sprintf("attack%d", n))
		text := fmt.Sprintf(attack, g.Data(n), g.Socket(n), g.PID(n), t.Canvass)
		err := os.WriteFile(script, []byte(text), 0o600)
		t.Demand(err == nil, "%v", err)
		id = g.Must("canvass submit --output 'out/**' --output link -- sh %s", script)
		g.Must("canvass wait %s", id)
		said := g.Must("canvass logs %s 2>/dev/null", id)
		t.Demand(said == "tried", "a job against daemon n%d: %s", n, said)
		isolation = g.Must("canvass node status %c | grep -i isolation", 'A'+n-1)
	}
	t.Until(10*time.Second, "gone", func() bool { return len(trials.WithText("sleep 7777")) == 0 })
	g.Must("canvass get -o got %s", id)
	text, err := os.ReadFile(filepath.Join(t.Folder, "got", "out", "file"))
	t.Demand(err == nil && string(text) == "kept\n", "its output is %q, %v", text, err)
	found := t.Must("find got -type f; find got -type l | wc -l")
	t.Demand(found == "got/out/file\n2", "outputs, and links among them: %s", found)
	g.Must("canvass cancel %s", beside)
	return fmt.Sprintf("a job against each of 3 daemons reached no key, no record, no socket, no file of another task "+
		"and no deadline, could signal no daemon, had no capability, left no process, and a link among its outputs stayed "+
		"one (%s)", strings.Join(strings.Fields(isolation), " "))
}
