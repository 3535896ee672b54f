package fileio

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// causes lists errors of a machine with their remedies. The first match counts.
var causes = []struct {
	is   func(error) bool
	text func() string
}{
	{isListening, always("a port below 1024 needs the capability CAP_NET_BIND_SERVICE; choose a higher port")},
	{because(syscall.EADDRINUSE), always("choose another port, or end the program that listens there " +
		"(ss -ltnp names it)")},
	{because(syscall.EADDRNOTAVAIL), always("choose an address of this machine (ip address lists them)")},
	{isUnresolved, always("choose a name that resolves here, or an IP address")},
	{because(ErrKind), always("move it away")},
	{because(syscall.ENOTDIR), always("move away the file that is where a folder belongs")},
	{because(syscall.EISDIR), always("move away the folder that is where a file belongs")},
	{because(syscall.ELOOP), always("remove the symbolic link, which leads back to itself")},
	{because(syscall.ENAMETOOLONG), always("choose a shorter name")},
	{because(syscall.EROFS), always("mount its file system such that it can be written")},
	{because(fs.ErrPermission), func() string { return "let user " + self() + " use it, with chown or chmod" }},
	{IsFull, always("free space there")},
	{because(syscall.EMFILE), always("raise the limit of open files, as with ulimit -n")},
	{because(syscall.ENFILE), always("raise the limit of open files of the machine, fs.file-max")},
	{because(syscall.EFBIG), always("raise the limit of the size of files, as with ulimit -f")},
}

// Remedy returns the remedy for the cause of an error, or nothing if the cause is not in the table.
func Remedy(err error) string {
	for _, c := range causes {
		if c.is(err) {
			return c.text()
		}
	}
	return ""
}

func always(text string) func() string { return func() string { return text } }

func because(cause error) func(error) bool {
	return func(err error) bool { return errors.Is(err, cause) }
}

// isListening reports that this user may not listen at a port.
func isListening(err error) bool {
	op := (*net.OpError)(nil)
	return errors.As(err, &op) && op.Op == "listen" && op.Net != "unix" && errors.Is(err, fs.ErrPermission)
}

func isUnresolved(err error) bool {
	name, address := (*net.DNSError)(nil), (*net.AddrError)(nil)
	return errors.As(err, &name) || errors.As(err, &address)
}

// IsFull reports whether a disk or a quota is full.
func IsFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// self is the name of the user of this process, or the number if it has none.
func self() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return strconv.Itoa(os.Getuid())
}
