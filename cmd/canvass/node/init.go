package node

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) initCommand() *cobra.Command {
	var p place
	var witnesses int
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Create a grid: its authority and its first daemon",
		Long: "Creates the certificate authority of a new grid and the folder of its first daemon, which admits " +
			"others.\n\n" +
			"The first --witnesses daemons of a grid are its witnesses: a daemon works only while a\n" +
			"majority of them answers. With one witness nothing runs while the first daemon is down. With\n" +
			"three, any one of them can be down, and nothing runs before the second daemon has joined. The\n" +
			"number cannot be changed later.",
		Example: "  canvass node init --listen hub:7411 --data /var/lib/canvass --witnesses 3\n" +
			"  canvass node agent --data /var/lib/canvass",
		Args: cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if witnesses != 1 && witnesses != 3 && witnesses != 5 {
				return cli.Usagef("--witnesses %d: want 1, 3 or 5", witnesses)
			}
			if err := p.check("init"); err != nil {
				return err
			}
			authority, err := identity.NewGrid(time.Now())
			if err != nil {
				return err
			}
			address, err := authority.Next()
			if err != nil {
				return err
			}
			id, err := authority.Enrol(address, time.Now())
			if err != nil {
				return err
			}
			return e.settled(p, id, p.config(config.DefaultGrid(address, witnesses)), authority.Save)
		},
	}
	cmd.Flags().IntVar(&witnesses, "witnesses", 1, "number of witnesses, the first daemons of the grid: 1, 3 or 5")
	p.flags(e.Stdout, cmd)
	return cmd
}
