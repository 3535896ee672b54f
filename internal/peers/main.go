package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: peers crosscheck | bench [MODEL SIZE]... | run MODEL SIZE WORKERS")

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "crosscheck":
		return crosscheck(ctx, os.Stdout)
	case len(args) > 0 && args[0] == "bench":
		return bench(ctx, args[1:], os.Stdout)
	case len(args) == 4 && args[0] == "run":
		return runOne(ctx, args[1:], os.Stdout)
	}
	return errUsage
}
