"""What several commands share: the project, the files, the options, the outputs."""
