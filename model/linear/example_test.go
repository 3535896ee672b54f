package linear_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/model/linear"
)

// A client puts 1 and gets its answer. Later another reads 0: a violation, unless a node crashed
// in the meantime.
func Example() {
	put := linear.Operation{
		Client: 0, Call: 1, Return: 2,
		Input: linear.RegisterInput{Kind: linear.Put, Key: "k", Value: 1}, Output: linear.RegisterOutput{OK: true},
	}
	crash := linear.Operation{Client: 1, Call: 3, Open: true, Input: linear.RegisterInput{Kind: linear.Lose}}
	get := linear.Operation{
		Client: 2, Call: 4, Return: 5,
		Input: linear.RegisterInput{Kind: linear.Get, Key: "k"}, Output: linear.RegisterOutput{OK: true, Value: 0},
	}
	fmt.Println(linear.Register().Check([]linear.Operation{put, get}, 0))
	fmt.Println(linear.RegisterWithLoss().Check([]linear.Operation{put, get}, 0))
	fmt.Println(linear.RegisterWithLoss().Check([]linear.Operation{put, crash, get}, 0))
	// Output:
	// violated
	// violated
	// holds
}
