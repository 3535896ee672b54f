package renewal_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/renewal"
)

// The daemon with the key of the authority is started two years after its grid was made. It renews
// its own certificate before it speaks to others.
func Example() {
	folder, err := os.MkdirTemp("", "canvass")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	made := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	authority, err := identity.NewGrid(made)
	if err != nil {
		fmt.Println(err)
		return
	}
	id, err := authority.Enrol(0, made)
	if err != nil {
		fmt.Println(err)
		return
	}
	now := made.AddDate(2, 0, 0)
	fmt.Println(id.Ends().Format(time.DateOnly), id.ValidAt(now) == nil)

	began := time.Now()
	keeper := renewal.New(renewal.Config{
		Folder: folder, Identity: id, Authority: authority, Log: slog.New(slog.DiscardHandler),
		Clock: func() time.Duration { return time.Since(began) }, Wall: func() time.Time { return now },
	})
	if err := keeper.Prepare(context.Background(), nil); err != nil {
		fmt.Println(err)
	}
	fmt.Println(keeper.Identity().Ends().Format(time.DateOnly), keeper.Identity().Peer() == id.Peer())
	// Output:
	// 2031-05-31 false
	// 2033-05-31 true
}
