"""`mqlint lsp`: findings in an editor, by the Language Server Protocol."""
