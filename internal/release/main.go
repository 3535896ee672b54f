package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := command(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// command carries out a command line.
func command(args []string) error {
	if len(args) == 0 {
		return errors.New("a subcommand is missing: api, assurance or findings")
	}
	switch name, rest := args[0], args[1:]; name {
	case "api":
		return api(rest, os.Stdout)
	case "assurance":
		return assurance(os.Stdin)
	case "findings":
		f := flag.NewFlagSet("findings", flag.ContinueOnError)
		check := f.Bool("check", false, "write nothing; fail if docs/findings.json says otherwise")
		if err := f.Parse(rest); err != nil {
			return err
		}
		return findings(*check)
	default:
		return fmt.Errorf("unknown subcommand %q; want api, assurance or findings", name)
	}
}
