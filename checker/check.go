package checker

import (
	"context"
	"errors"
)

// Check explores every reachable state of the model and decides its properties.
//
// It returns an error only for options or a model that make no sense, a model that breaks its
// contract ([ContractError]), a model that panics ([PanicError]) and a checkpoint that cannot be
// resumed ([CheckpointError]). Whatever else ends a check early, be it the context or a limit,
// yields a report that says so and leaves undecided what was not seen.
func Check(ctx context.Context, m Model, o Options) (*Report, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("checker: the context is nil; context.Background() is one that never ends a check")
	case m == nil:
		return nil, errors.New("checker: the model is nil")
	}
	e, err := newEngine(ctx, m, o)
	if err != nil {
		return nil, err
	}
	defer e.close()
	return e.run()
}
