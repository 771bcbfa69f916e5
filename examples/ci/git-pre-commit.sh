#!/bin/sh
# .git/hooks/pre-commit: check what a commit adds, without another tool.
# Install: cp git-pre-commit.sh "$(git rev-parse --git-path hooks)/pre-commit" && chmod +x "$_"
# mqlint checks the files of the working folder; findings that HEAD has do not count.
set -u
exec mqlint check --diff HEAD --quiet
