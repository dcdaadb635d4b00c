"""Commands, one file each: NAME, HELP, add_arguments(parser) and run(args), which returns the exit code."""
