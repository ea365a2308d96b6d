# Naive searches for sets of features, in plain R, with the random numbers of the core: runif(1) in its order of draws.
# Sets are positions, ascending. A chromosome is a logical vector.

# One of 1 .. n.
oracle_below <- function(n) min(n, floor(stats::runif(1) * n) + 1)

# A random element of `pool`, and what is left: the last element fills its place.
oracle_draw <- function(pool) {
  at <- oracle_below(length(pool))
  drawn <- pool[at]
  pool[at] <- pool[length(pool)]
  list(drawn = drawn, pool = pool[-length(pool)])
}

# --- operators --------------------------------------------------------------------------------------------------------

oracle_random_set <- function(d, bound) {
  size <- oracle_below(bound)
  pool <- seq_len(d)
  set <- integer()
  while (length(set) < size) {
    one <- oracle_draw(pool)
    set <- c(set, one$drawn)
    pool <- one$pool
  }
  sort(set)
}

oracle_repair <- function(on, bound) {
  while (sum(on) > bound) on[which(on)[oracle_below(sum(on))]] <- FALSE
  if (!any(on)) on[oracle_below(length(on))] <- TRUE
  which(on)
}

oracle_crossover <- function(a, b, d, bound) {
  point <- if (d > 1) oracle_below(d - 1) else 1
  head <- seq_len(d) <= point
  a <- seq_len(d) %in% a
  b <- seq_len(d) %in% b
  first <- oracle_repair(ifelse(head, a, b), bound)
  list(first, oracle_repair(ifelse(head, b, a), bound))
}

oracle_mutate <- function(parent, d, bound) {
  pool <- setdiff(seq_len(d), parent)
  child <- integer()
  for (f in parent) {
    if (length(pool) == 0) {
      child <- c(child, f)
    } else {
      one <- oracle_draw(pool)
      child <- c(child, one$drawn)
      pool <- one$pool
    }
  }
  pool <- setdiff(seq_len(d), child)
  for (place in seq_len(bound - length(child))) {
    if (stats::runif(1) < 0.1 && length(pool) > 0) {
      one <- oracle_draw(pool)
      child <- c(child, one$drawn)
      pool <- one$pool
    }
  }
  sort(child)
}

# The three new sets of a generation.
oracle_offspring <- function(population, d, bound) {
  n <- length(population)
  first <- oracle_below(n)
  second <- first
  if (n > 1) {
    second <- oracle_below(n - 1)
    if (second >= first) second <- second + 1
  }
  children <- oracle_crossover(population[[first]], population[[second]], d, bound)
  c(children, list(oracle_mutate(population[[oracle_below(n)]], d, bound)))
}

# As many features as `set` has, greedily from the others, by the score of `name` in oracle_score().
oracle_explore <- function(set, name, x, y) {
  left <- setdiff(seq_len(ncol(x)), set)
  explored <- integer()
  for (i in seq_len(min(length(set), length(left)))) {
    scores <- vapply(left, function(f) oracle_score(name, x, y, f, explored), 0)
    explored <- c(explored, left[which.max(scores)])
    left <- left[-which.max(scores)]
  }
  sort(explored)
}

# The local step of MAMFS: additions and removals by the score of AMI, both from `set`.
oracle_refine <- function(set, spent, evaluations, x, y, bound) {
  share <- (evaluations - spent) / evaluations
  n_add <- min(floor(stats::runif(1) * length(set) * share + 0.5), ncol(x) - length(set))
  n_delete <- min(floor(stats::runif(1) * length(set) * share + 0.5), length(set))
  n_add <- min(n_add, max(0, bound - length(set) + n_delete))
  n_delete <- min(n_delete, length(set) + n_add - 1)
  grown <- set
  for (i in seq_len(n_add)) {
    left <- setdiff(seq_len(ncol(x)), grown)
    grown <- c(grown, left[which.max(vapply(left, function(f) oracle_score("ami", x, y, f, grown), 0))])
  }
  kept <- set
  for (i in seq_len(n_delete)) {
    kept <- kept[-which.min(vapply(kept, function(f) oracle_score("ami", x, y, f, setdiff(kept, f)), 0))]
  }
  sort(c(kept, setdiff(grown, set)))
}

# --- fronts -----------------------------------------------------------------------------------------------------------

# `p`: a matrix with the columns value and size, both to be small.
oracle_objectives <- function(sets, values) {
  cbind(value = values, size = ifelse(is.finite(values), lengths(sets), Inf))
}

oracle_dominates <- function(a, b) all(a <= b) && any(a < b)

# Indices that nothing of `among` dominates.
oracle_undominated <- function(p, among = seq_len(nrow(p))) {
  Filter(function(i) !any(vapply(among, function(j) oracle_dominates(p[j, ], p[i, ]), NA)), among)
}

oracle_crowding <- function(p) {
  distance <- numeric(nrow(p))
  if (nrow(p) == 0) return(distance)
  for (objective in 1:2) {
    v <- p[, objective]
    o <- order(v)
    distance[c(o[1], o[length(o)])] <- Inf
    range <- max(v) - min(v)
    if (!is.finite(range) || range == 0) next
    for (i in seq_along(o)[-c(1, length(o))]) distance[o[i]] <- distance[o[i]] + (v[o[i + 1]] - v[o[i - 1]]) / range
  }
  distance
}

# All indices: front by front, the least crowded first.
oracle_crowded_order <- function(p) {
  left <- seq_len(nrow(p))
  result <- integer()
  while (length(left) > 0) {
    front <- oracle_undominated(p, left)
    result <- c(result, front[order(-oracle_crowding(p[front, , drop = FALSE]))])
    left <- setdiff(left, front)
  }
  result
}

# --- whole searches ---------------------------------------------------------------------------------------------------

# A function of a set and the number of its evaluation: the value by assess_features(), lower better. `number`: what R's
# generator draws first.
oracle_fitness <- function(task, params, number = 0) {
  draw <- function(n = NULL) mlsift:::with_stream(c(list(number, "inner"), n), split_rows(task, params$inner))
  fixed <- draw()
  curve <- mlsift:::learner_method(params$learner)$curve
  listed <- list_measures()
  direction <- if (inherits(params$measure, "mlmeasure")) params$measure$direction
  else listed$direction[listed$measure == params$measure]
  function(set, n = 1L) {
    values <- vapply(if (params$redraw) draw(n) else fixed, function(rows) {
      # Learners that serve several numbers of features at once have a stream for all of these.
      mlsift:::with_stream(c(list(number, "learn", n), if (!curve) length(set)), assess_features(
        task, set, params$learner, params$measure, rs_fixed(rows$train, rows$test), params$discretizer
      )$value)
    }, 0)
    if (direction == "maximize") 1 - mean(values) else mean(values)
  }
}

# The same where the number of the evaluation does not matter; each set is computed once.
oracle_values <- function(task, params) {
  known <- new.env()
  fitness <- oracle_fitness(task, params)
  function(set) {
    key <- paste(set, collapse = " ")
    if (is.null(known[[key]])) known[[key]] <- fitness(set)
    known[[key]]
  }
}

# What has been evaluated: `try` evaluates sets until the budget is spent and returns the values of the first ones.
oracle_log <- function(value, budget) {
  log <- new.env()
  log$sets <- list()
  log$values <- double()
  log$over <- function() length(log$sets) >= budget
  log$try <- function(sets) {
    values <- double()
    for (set in sets) {
      if (length(set) == 0) {
        values <- c(values, Inf)
        next
      }
      if (log$over()) break
      values <- c(values, value(set))
      log$sets <- c(log$sets, list(set))
      log$values <- c(log$values, values[length(values)])
    }
    values
  }
  log
}

# Genetic searches: list(sets, values) of the last population. `explore` and `refine` may be NULL.
oracle_genetic <- function(log, d, bound, population, start, survive, explore = NULL, refine = NULL, n_refined = 1,
                           copies = 3) {
  sets <- start
  while (length(sets) < population) sets <- c(sets, list(oracle_random_set(d, bound)))
  values <- log$try(sets)
  merge <- function(sets, values) {
    sets <- sets[seq_along(values)]
    old <- !duplicated(sets)
    keep <- utils::head(survive(sets[old], values[old]), population)
    list(sets = sets[old][keep], values = values[old][keep])
  }
  now <- merge(sets, values)
  while (!log$over()) {
    if (!is.null(refine)) {
      spent <- length(log$sets)
      of <- rep(seq_len(min(n_refined, length(now$sets))), each = copies)
      copied <- lapply(of, function(i) refine(now$sets[[i]], spent))
      values <- log$try(copied)
      for (i in seq_along(values)) {
        if (values[i] < now$values[of[i]]) {
          now$sets[[of[i]]] <- copied[[i]]
          now$values[of[i]] <- values[i]
        }
      }
      if (log$over()) break
    }
    born <- oracle_offspring(now$sets, d, bound)
    if (!is.null(explore)) born <- c(born, Filter(length, lapply(born, explore)))
    values <- log$try(born)
    now <- merge(c(now$sets, born[seq_along(values)]), c(now$values, values))
  }
  now
}

oracle_lowest <- function(sets, values) order(values)
oracle_nsga2 <- function(sets, values) oracle_crowded_order(oracle_objectives(sets, values))

oracle_swarm <- function(log, d, bound, particles, start, threshold, full, evaluations) {
  decode <- function(z) {
    on <- which(z > threshold)
    sort(on[order(-z[on])][seq_len(min(bound, length(on)))])
  }
  archive <- list(sets = list(), values = double(), positions = list())
  drop <- function(i) lapply(archive, function(part) part[-i])
  p <- function(of) oracle_objectives(of$sets, of$values)
  meet <- function(set, value, position) {
    if (is.infinite(value)) return()
    mine <- c(value, length(set))
    if (length(archive$sets) > 0) {
      worse <- apply(p(archive), 1, function(there) oracle_dominates(there, mine) || all(there == mine))
      if (any(worse)) return()
      beaten <- which(apply(p(archive), 1, function(there) oracle_dominates(mine, there)))
      if (length(beaten) > 0) archive <<- drop(beaten)
    }
    archive$sets <<- c(archive$sets, list(set))
    archive$values <<- c(archive$values, value)
    archive$positions <<- c(archive$positions, list(position))
    if (full && length(archive$sets) > particles) archive <<- drop(which.min(oracle_crowding(p(archive))))
  }

  z <- lapply(seq_len(particles), function(i) {
    if (i > length(start)) return(vapply(seq_len(d), function(f) stats::runif(1), 0))
    as.numeric(seq_len(d) %in% start[[i]])
  })
  v <- rep(list(numeric(d)), particles)
  swarm <- list(sets = lapply(z, decode))
  swarm$values <- log$try(swarm$sets)
  for (i in seq_along(swarm$values)) meet(swarm$sets[[i]], swarm$values[i], z[[i]])
  own <- c(swarm, list(positions = z))
  while (!log$over()) {
    leader <- z[[oracle_crowded_order(p(swarm))[1]]]
    crowding <- if (full) oracle_crowding(p(archive))
    spent <- length(log$sets)
    for (i in seq_len(particles)) {
      goal <- leader
      if (full && length(archive$sets) > 0) {
        a <- oracle_below(length(crowding))
        b <- oracle_below(length(crowding))
        goal <- archive$positions[[if (crowding[b] > crowding[a]) b else a]]
      }
      for (f in seq_len(d)) {
        r1 <- stats::runif(1)
        r2 <- stats::runif(1)
        v[[i]][f] <- 0.7298 * v[[i]][f] + 1.4962 * r1 * (own$positions[[i]][f] - z[[i]][f]) +
          1.4962 * r2 * (goal[f] - z[[i]][f])
        v[[i]][f] <- min(1, max(-1, v[[i]][f]))
        z[[i]][f] <- min(1, max(0, z[[i]][f] + v[[i]][f]))
      }
      share <- 0.5 * exp(-10 * spent / evaluations) + 0.01
      if (full && stats::runif(1) < share) {
        pool <- seq_len(d)
        for (j in seq_len(max(1, floor(share * d)))) {
          one <- oracle_draw(pool)
          pool <- one$pool
          z[[i]][one$drawn] <- stats::runif(1)
        }
      }
    }
    trials <- list()
    if (full && length(archive$sets) >= 3) {
      sparse <- which.max(oracle_crowding(p(archive)))
      for (trial in 1:2) {
        one <- oracle_draw(setdiff(seq_along(archive$sets), sparse))
        other <- oracle_draw(one$pool)
        moved <- archive$positions[[sparse]] +
          0.5 * (archive$positions[[one$drawn]] - archive$positions[[other$drawn]])
        trials[[trial]] <- pmin(1, pmax(0, moved))
      }
    }
    positions <- c(z, trials)
    sets <- lapply(positions, decode)
    values <- log$try(sets)
    for (i in seq_along(values)) {
      meet(sets[[i]], values[i], positions[[i]])
      if (i > particles) next
      swarm$sets[[i]] <- sets[[i]]
      swarm$values[i] <- values[i]
      mine <- p(list(sets = sets[i], values = values[i]))
      before <- p(list(sets = own$sets[i], values = own$values[i]))
      open <- !oracle_dominates(mine, before) && !oracle_dominates(before, mine) && any(mine != before)
      if (oracle_dominates(mine, before) || (open && stats::runif(1) < 0.5)) {
        own$sets[[i]] <- sets[[i]]
        own$values[i] <- values[i]
        own$positions[[i]] <- z[[i]]
      }
    }
  }
  archive[c("sets", "values")]
}

# The best set of each size.
oracle_sequential <- function(log, d, bound, forward, floating) {
  best <- list(sets = list(), values = double())
  keep <- function(set, value) {
    at <- match(length(set), lengths(best$sets))
    if (is.na(at)) at <- length(best$sets) + 1
    if (at > length(best$sets) || value < best$values[at]) {
      best$sets[[at]] <<- set
      best$values[at] <<- value
    }
  }
  # Of the sets with one feature more, or less, the best one; `but` is not moved.
  neighbor <- function(set, grow, but = 0) {
    moves <- setdiff(if (grow) setdiff(seq_len(d), set) else set, but)
    sets <- lapply(moves, function(f) if (grow) sort(c(set, f)) else setdiff(set, f))
    values <- log$try(sets)
    if (length(values) == 0) return(NULL)
    at <- which.min(values)
    list(set = sets[[at]], value = values[at], moved = moves[at], whole = length(values) == length(sets))
  }
  current <- if (forward) integer() else seq_len(d)
  if (!forward) keep(current, log$try(list(current)))
  last <- if (forward) bound else 1
  while (length(current) != last && !log$over()) {
    step <- neighbor(current, forward)
    current <- step$set
    keep(current, step$value)
    but <- step$moved
    while (floating && !log$over() && abs(length(current) - if (forward) 0 else d) > 2) {
      back <- neighbor(current, !forward, but)
      known <- best$values[match(length(back$set), lengths(best$sets))]
      if (is.null(back) || !(back$value < known)) break
      current <- back$set
      keep(current, back$value)
      but <- 0
    }
  }
  best
}

# The search that `selector` describes: list(sets, values, front), where `front` has what search_front() shows.
# `number`: what R's generator draws first. `x`, `y`: codes and labels, for filters.
oracle_search <- function(selector, number, d, value, x, y) {
  params <- selector$params
  bound <- min(params$max_features, d)
  budget <- if (is.null(params$evaluations)) Inf else params$evaluations
  log <- oracle_log(value, budget)
  genetic <- function(survive = oracle_lowest, ...) {
    oracle_genetic(log, d, bound, params$population, params$start, survive, ...)
  }
  shown <- mlsift:::with_stream(list(number, "search"), switch(selector$method,
    rga = genetic(),
    ga_explore = genetic(explore = function(set) oracle_explore(set, params$explore$method, x, y)),
    mamfs = genetic(
      refine = function(set, spent) oracle_refine(set, spent, budget, x, y, bound), n_refined = params$refine,
      copies = params$copies
    ),
    nsga2 = genetic(oracle_nsga2),
    mpsofs = oracle_swarm(
      log, d, bound, params$population, params$start, params$threshold, params$variant == "full", budget
    ),
    sequential = oracle_sequential(log, d, bound, params$direction == "forward", params$floating)
  ))
  front <- oracle_shown(log, shown, bound, selector$method %in% c("nsga2", "mpsofs"))
  list(sets = log$sets, values = log$values, front = front)
}

# Of the solutions in hand those that are shown: the best set of all first, then by value, then by size.
oracle_shown <- function(log, shown, bound, undominated) {
  if (undominated) {
    p <- oracle_objectives(shown$sets, shown$values)
    at <- oracle_undominated(p)
    at <- at[!duplicated(p[at, , drop = FALSE])]
    shown <- list(sets = shown$sets[at], values = shown$values[at])
  }
  fits <- which(lengths(log$sets) <= bound)
  best <- fits[order(log$values[fits], lengths(log$sets)[fits])[1]]
  known <- shown$sets %in% log$sets[best] | lengths(shown$sets) > bound
  sets <- c(log$sets[best], shown$sets[!known])
  values <- c(log$values[best], shown$values[!known])
  o <- order(values, lengths(sets))
  list(sets = sets[o], values = values[o])
}
