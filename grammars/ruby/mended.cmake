# The scanner keeps the words that end its open heredocs in the runtime's buffer, with a byte for the length of each:
# a word of more letters is read back as another one, and the last words are written two bytes beyond the buffer.
set(mended_source tree-sitter-ruby/src/scanner.c)
set(mended_from "size + 2 + heredoc->word.size >= TREE_SITTER_SERIALIZATION_BUFFER_SIZE")
set(mended_to "heredoc->word.size > UINT8_MAX || size + 4 + heredoc->word.size > TREE_SITTER_SERIALIZATION_BUFFER_SIZE")
