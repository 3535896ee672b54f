package philosophers_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/philosophers"
)

func Example() {
	for rule, name := range []string{"left first", "ordered", "courteous"} {
		table, err := philosophers.New(3, philosophers.Rule(rule))
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := checker.Check(context.Background(), table, checker.Options{ContinueAfterViolation: true})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d states\n", name, report.States)
		for _, o := range report.Outcomes {
			fmt.Printf("  %s: %v\n", o.Property.Name, o.Verdict)
			if o.Path == nil || o.Property.Name != "Eats0" && o.Property.Name != checker.Deadlock {
				continue
			}
			for i, step := range o.Path.Steps {
				if o.Path.Loop >= 0 && i == o.Path.Loop {
					fmt.Println("    forever:")
				}
				moods := table.Value(step.State).Moods
				fmt.Println("    ", moods[:3])
			}
		}
	}
	// Output:
	// left first: 45 states
	//   Exclusion: holds
	//   Eats0: violated
	//      [t t t]
	//     forever:
	//      [h t t]
	//      [h t h]
	//      [h t w]
	//      [h t e]
	//      [h t t]
	//   Eats1: violated
	//   Eats2: violated
	//   deadlock: violated
	//      [t t t]
	//      [h t t]
	//      [w t t]
	//      [w h t]
	//      [w w t]
	//      [w w h]
	//      [w w w]
	// ordered: 42 states
	//   Exclusion: holds
	//   Eats0: violated
	//      [t t t]
	//     forever:
	//      [h t t]
	//      [h t h]
	//      [h t w]
	//      [h t e]
	//      [h t t]
	//   Eats1: violated
	//   Eats2: violated
	//   deadlock: holds
	// courteous: 288 states
	//   Exclusion: holds
	//   Eats0: holds
	//   Eats1: holds
	//   Eats2: holds
	//   deadlock: holds
}
