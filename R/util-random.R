# The state of R's random number generator.

# The current state, which R creates at the first use.
random_state <- function() {
  if (!exists(".Random.seed", globalenv(), inherits = FALSE)) stats::runif(1L)
  get(".Random.seed", globalenv(), inherits = FALSE)
}

set_random_state <- function(state) assign(".Random.seed", state, envir = globalenv())

# Evaluates `code`, which may change the generator, and then restores the user's generator. A state includes the kinds
# of the generator. Before the first use there are only these kinds.
keep_random_state <- function(code) {
  old <- get0(".Random.seed", globalenv(), inherits = FALSE)
  kinds <- RNGkind()
  call_on_exit(function() {
    if (is.null(old)) {
      suppressWarnings(RNGkind(kinds[1L], kinds[2L], kinds[3L]))
      rm(".Random.seed", envir = globalenv())
    } else {
      set_random_state(old)
    }
  })
  force(code)
}

# Evaluates `code` with a random stream that depends only on `key`, and then restores the user's generator.
with_stream <- function(key, code) {
  keep_random_state({
    set_random_state(stream_state(key))
    code
  })
}

# The state at its begin. 10407: L'Ecuyer-CMRG, inversion for normal numbers, rejection for sampling.
stream_state <- function(key) c(10407L, cpp_stream_seed(stream_key(key)))

stream_key <- function(key) {
  text <- vapply(key, function(part) if (is.double(part)) sprintf("%.17g", part) else enc2utf8(as.character(part)), "")
  paste(text, collapse = "\x1f")
}
