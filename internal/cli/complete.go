package cli

import "github.com/spf13/cobra"

// CompleteWords makes a command complete the values of a flag, which are always the same words.
func CompleteWords(cmd *cobra.Command, flag string, words []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, // fails only for a flag that is not there
		cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
