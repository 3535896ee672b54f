package api_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/daemon/api"
)

func Example() {
	grid := api.NewClient("/run/canvass/api.sock")
	_, err := grid.Jobs(context.Background(), api.ListQuery{})
	fmt.Println(errors.Is(err, api.ErrNobody))
	// Output: true
}
