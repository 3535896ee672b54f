package verbatim_test

import (
	"encoding/json"
	"fmt"

	"github.com/canvass-grid/canvass/daemon/verbatim"
)

func Example() {
	name := verbatim.Text("caf\xe9") // Latin-1
	text, err := json.Marshal(name)
	fmt.Println(string(text), err)
	var back verbatim.Text
	err = json.Unmarshal(text, &back)
	fmt.Println(back == name, err)
	// Output:
	// "caf\udce9" <nil>
	// true <nil>
}
