# Registries. A selector, learner or measure object is data only (name and parameters); the code that serves it is
# found here by its method name, so that objects stay small and survive `saveRDS()` and other processes.

registry <- new.env(parent = emptyenv())
registry$selectors <- list()
registry$learners <- list()
registry$measures <- list()
registry$discretizers <- list()

# Methods of learning are checked here: new_learner_method() says what they are made of.
register <- function(table, method, ...) {
  registry[[table]][[method]] <- switch(table, learners = new_learner_method(method, ...), list(method = method, ...))
}

registered <- function(table, method) registry[[table]][[method]]
