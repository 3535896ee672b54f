package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/canvass-grid/canvass/internal/trials"
)

func main() {
	if trials.IsTask(os.Args) {
		os.Exit(trials.Task{}.Run(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := command(ctx, os.Args[1:])
	switch {
	case errors.Is(err, errSkipped):
		fmt.Println(err)
	case err != nil && !errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("the command line is wrong; usage:\n" +
	"  bench spin [MODEL SIZE]...   the engine beside SPIN\n" +
	"  bench crosscheck             numbers and verdicts of both; exit code 1 on a difference\n" +
	"  bench run MODEL SIZE N       one check with N workers\n" +
	"  bench sim [-json] [SIZE]...  speed and memory of the simulator\n" +
	"  bench can                    the cost of changes of the map, into docs/protocols/can.md\n" +
	"  bench schedulers             central policies here, in pyss and in Alea\n" +
	"  bench daemons [-runs N]      daemons beside Slurm, Grid Engine, GNU parallel, mpirun and etcd")

// command runs the subcommand of the command line.
func command(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	switch rest := args[1:]; args[0] {
	case "spin":
		return besideSPIN(ctx, rest, os.Stdout)
	case "daemons":
		return besideSystems(ctx, rest)
	case "sim":
		return simulator(rest)
	case "run":
		if len(rest) != 3 {
			return errUsage
		}
		return runOne(ctx, rest, os.Stdout)
	}
	if len(args) != 1 {
		return errUsage
	}
	switch args[0] {
	case "crosscheck":
		return crosscheck(ctx, os.Stdout)
	case "can":
		return changesOfTheMap()
	case "schedulers":
		return schedulers(os.Getenv("PYSS"), os.Getenv("ALEA"), os.Getenv("CANVASS_DATA"))
	}
	return errUsage
}
