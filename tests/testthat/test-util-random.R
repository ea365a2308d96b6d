# Runs `code` with a generator of its own, so that the state and the kinds of other tests do not change. A state is made
# first: without one, withr does not know the kinds.
with_own_generator <- function(code) {
  if (!exists(".Random.seed", globalenv(), inherits = FALSE)) set.seed(NULL)
  withr::local_preserve_seed()
  force(code)
}

test_that("a stream depends on its key alone and restores the generator", {
  with_own_generator({
    set.seed(1)
    before <- .Random.seed
    first <- with_stream(list(0.5, "a"), c(runif(2), rnorm(1), sample(9)))
    expect_identical(.Random.seed, before)
    set.seed(2)
    expect_identical(with_stream(list(0.5, "a"), c(runif(2), rnorm(1), sample(9))), first)
    expect_false(identical(with_stream(list(0.5, "b"), c(runif(2), rnorm(1), sample(9))), first))
  })
})

test_that("the generator is restored after an error", {
  with_own_generator({
    set.seed(1)
    before <- .Random.seed
    expect_error(with_stream("a", stop(runif(1))))
    expect_identical(.Random.seed, before)
  })
})

test_that("a generator that was not used yet keeps its kinds", {
  with_own_generator({
    suppressWarnings(RNGkind("Wichmann-Hill", "Box-Muller", "Rounding"))
    kinds <- RNGkind()
    rm(".Random.seed", envir = globalenv())
    expect_silent(with_stream("a", runif(1)))
    expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
    expect_identical(RNGkind(), kinds)
    runif(1)
    before <- .Random.seed
    expect_silent(with_stream("a", runif(1)))
    expect_identical(.Random.seed, before)
  })
})

test_that("the state of a generator that was not used yet is made", {
  with_own_generator({
    rm(".Random.seed", envir = globalenv())
    state <- random_state()
    first <- runif(2)
    set_random_state(state)
    expect_identical(runif(2), first)
  })
})
