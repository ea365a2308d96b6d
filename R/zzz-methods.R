# This file is read last. Methods of our classes refuse arguments that they do not know, instead of ignoring them: those
# whose `...` has no other use begin with refuse_dots().

local(for (name in grep("^[^[$<]+[.](ml[a-z]+|Task[A-Z][a-z]+)$", ls(topenv()), value = TRUE)) {
  method <- get(name)
  if (!"..." %in% names(formals(method))[-1L] || "..." %in% all.names(body(method))) next
  body(method) <- call("{", quote(refuse_dots(...)), body(method))
  assign(name, method, topenv())
})
