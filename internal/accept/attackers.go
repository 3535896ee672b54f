package main

import (
	"fmt"
	"strings"
	"syscall"
	"time"
)

// attackers are commands of a job, each of which would print a word if it reached what it must not.
// D stands for the folder of the daemons, in which each has one of its own.
var attackers = []string{
	"{ cat D/n1/authority.key || cat ../../authority.key || cat ../../../../authority.key; }",
	"{ cat D/n1/node.key || cat D/n2/node.key || cat D/n3/canvass.db; }",
	"{ cat /proc/1/root/D/n1/authority.key || cat /proc/1/environ; }",
	"{ cat /proc/$PPID/environ || cat /proc/$PPID/fd/4; }",
	"sh -c 'echo 99999999 > /proc/1/fd/4 || echo 99999999 > /proc/$PPID/fd/4'",
	"sh -c 'ln D/n1/authority.key key || ln D/n2/node.key key'",
	"mount -t tmpfs none /mnt",
	"{ umount D/n1 || umount D/n2; }",
	"CANVASS_SOCKET=D/n1/api.sock canvass token create",
	"CANVASS_SOCKET=D/n2/api.sock canvass submit -- true",
}

// hostAttacked tries what a job can do to its host: read the keys, ask a daemon, outlive a daemon
// that is stopped.
func hostAttacked(t *trial) string {
	g := t.grid(3)
	for _, attacker := range attackers {
		line := strings.ReplaceAll(attacker, "D/", g.folder+"/")
		line = strings.ReplaceAll(line, "'", `'\''`)
		o := t.sh(g, "canvass run -k 3 --env PATH=$PATH -- sh -c '%s && echo REACHED'", line)
		t.demand(o.code != 0 && !strings.Contains(o.stdout, "REACHED"), "%s: %v", line, o)
	}
	t.must(g, "canvass submit -- sh -c 'echo 9999999999 | tee /proc/1/fd/4 /proc/$PPID/fd/4; exec sleep 98.5432'")
	t.until(10*time.Second, "a task that runs", func() bool { return t.count("sleep 98.5432") == 1 })
	for n := range 3 {
		g.signal(n+1, syscall.SIGSTOP)
	}
	ended := t.until(10*time.Second, "the end of a task whose daemon is stopped", func() bool {
		return t.count("sleep 98.5432") == 0
	})
	for n := range 3 {
		g.signal(n+1, syscall.SIGCONT)
	}
	return fmt.Sprintf("%d ways to keys, descriptors, mounts and sockets are closed on each of 3 hosts; "+
		"a task that tries to move its deadline is gone %.1f s after its daemon was stopped. Jobs cannot say what they need",
		len(attackers), ended.Seconds())
}
