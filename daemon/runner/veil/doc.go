// Package veil hides folders from a thread and from all that it starts, on Linux.
//
// A daemon keeps its keys, its socket and the files of all its jobs in one folder, and its tasks
// run as its own user. So the modes of files do not keep a task from reading them.
//
// # Usage
//
// A thread that is locked and that is never used for anything else calls [Hide], and then starts a
// command. There are two ways, the better one first: [Mounts] needs the right to mount, as root and
// the first process of a user namespace have it, and [Landlock] needs Linux 6.2 and
// PR_SET_NO_NEW_PRIVS. The caller tries which one works, with the same folders.
//
// # Guarantees
//
//   - Hidden: no file below the folders can be opened, executed, linked or renamed by any path:
//     "..", symbolic links, /proc/PID/root. The one folder that is excepted stays where it was.
//   - Inherited: a command cannot undo it, not even in new namespaces.
//   - NothingElse: with [Mounts] all other files stay as they are. With [Landlock] no file can be
//     made in a folder that has a hidden one below it, such as /tmp for /tmp/data.
//   - Unsignalled: with [Landlock] on Linux 6.12, a command can send signals only to processes that
//     were started after the call.
//
// # Assumptions
//
//   - The command has no capabilities. With CAP_SYS_ADMIN it could unmount.
//   - A file is not reachable by a second mount of its file system. It stays visible there.
//   - Landlock hides contents, and not names, modes and times of files. It does not keep a command
//     from connecting to a Unix socket: the server has to look who connects.
package veil
