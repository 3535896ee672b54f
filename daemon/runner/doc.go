// Package runner implements how a daemon runs commands of other people: each under a shim, a
// process of the same binary that ends all processes of the command when it must.
//
// # Usage
//
// A daemon makes one [Runner] with [New] when it starts, before it tells any other node that it is
// back. It calls [Runner.Extend] with each new lease, [Runner.Start] for each task, [Process.Kill]
// to end one, and waits for [Process.Done]. [Runner.Close] ends all of them, and gives up on
// processes that the kernel does not remove. The binary imports this package, so it can also be the
// shim: see package shim.
//
// # Guarantees
//
//   - WholeTree: Done fires after all processes of the task have ended, including processes that
//     were forked twice and put into another session.
//   - DiesWithDaemon: when the daemon ends in any way, the shim ends the tree.
//   - DiesAtDeadline: when the deadline passes and was not extended, the shim ends the tree, also
//     if the daemon is stopped. The clock is CLOCK_BOOTTIME, which goes on during suspend.
//   - NothingLeft: New returns after all that an earlier incarnation has left is gone, or fails.
//   - NotOthers: New ends no task of a daemon that runs. In a copy of its folder it fails
//     ([ErrCopied]).
//   - OutputKept: of each stream the first and the last half of the limit are kept; the gap is
//     marked. A daemon that hangs does not block the task.
//   - Alone: the command gets no descriptor but the three standard ones, no variable that was not
//     listed, no capabilities, no new privileges, umask 077, and writes no core files. A process
//     has at most 65,536 files open, a file has at most 1 TiB, and a user other than root at most
//     16,384 processes; of processes and files also no more than three quarters of the daemon's own
//     limit.
//   - Hidden: the command cannot open what is in the folders that [Config.Hide] names, but for its
//     working directory: see package veil. Where that is not possible, [Runner.Exposed] says so.
//   - Closed: the command cannot open descriptors, memory or folders of daemon and shim by /proc,
//     and cannot move the deadline. New makes the process not dumpable for that, so that it leaves
//     no core.
//
// # Assumptions
//
//   - Daemon and shim are not both stopped (SIGSTOP). If they are, the task outlives its deadline
//     until one of the two goes on.
//   - Processes that another service starts for the task (cron, systemd-run, a container engine)
//     do not belong to its tree. They are not ended.
//   - With isolation [Cgroup] or [Subreaper], and without Landlock of Linux 6.12, the task does not
//     fight the shim: a process of the same user can kill it. The runner then ends what it can find
//     by itself.
//   - One runner at a time uses a folder. A second one gets an error.
//   - A copy of a folder is used on the machine of the folder: only there the processes that the
//     folder names are looked for. A copy that was made while a daemon began may name the former
//     one, which has ended.
package runner
