# Naive selectors, straight from the equations of the papers. They share no code with the package and take no short cut.

# Equal whole numbers, from 1, for rows that agree in all columns.
oracle_cells <- function(...) {
  cell <- numeric(length(..1))
  for (v in list(...)) {
    if (is.factor(v)) v <- as.integer(v)
    levels <- unique(v)
    cell <- cell * length(levels) + match(v, levels)
  }
  if (...length() == 1L) cell else match(cell, unique(cell))
}

# The entropy of columns taken together: of the shares of rows that agree in all of them.
oracle_entropy <- function(..., base = 2) {
  cell <- oracle_cells(...)
  p <- tabulate(cell) / length(cell)
  -sum(p * log(p, base))
}

oracle_information <- function(a, b, base = 2) oracle_entropy(a, base = base) + oracle_entropy(b, base = base) -
  oracle_entropy(a, b, base = base)

occurring <- function(y) y[, colSums(y) > 0, drop = FALSE]

oracle_mim <- function(x, y, base = 2) {
  apply(x, 2, function(f) sum(apply(y, 2, oracle_information, b = f, base = base)))
}

oracle_ebls <- function(x, y, n_labels, largest = TRUE) {
  y <- occurring(y)
  h <- round(apply(y, 2, oracle_entropy), 12)
  chosen <- order(if (largest) -h else h)[seq_len(min(n_labels, ncol(y)))]
  apply(x, 2, function(f) {
    exact <- sum(vapply(chosen, function(l) oracle_information(f, y[, l]), 0))
    exact + sum(pmin(oracle_entropy(f), h[setdiff(seq_len(ncol(y)), chosen)]))
  })
}

oracle_br_cc <- function(x, y, absolute = TRUE) {
  apply(x, 2, function(f) {
    r <- suppressWarnings(apply(y, 2, stats::cor, y = f))
    r[is.na(r)] <- 0
    sum(if (absolute) abs(r) else r)
  })
}

oracle_br_or <- function(x, y, h = 0.5, type = "log", weights = "none") {
  term <- function(f, l) {
    a <- sum(f & l); b <- sum(f & !l); c <- sum(!f & l); e <- sum(!f & !l)
    or <- (a + h) * (e + h) / ((b + h) * (c + h))
    if (type == "raw") or else abs(log(or))
  }
  apply(x, 2, function(f) {
    levels <- sort(unique(f))
    if (length(levels) == 1) return(0)
    if (length(levels) == 2) levels <- levels[2]
    sum(apply(y, 2, function(l) {
      if (length(unique(l)) == 1) return(0)
      w <- if (weights == "prior") mean(l) else 1
      w * max(vapply(levels, function(v) term(f == v, l == 1), 0))
    }))
  })
}

# Transformed rows: list(row, class, weight).
oracle_transform <- function(y, how, min_count = 6, rare = "discard", b = 2, increasing = FALSE) {
  y <- occurring(y)
  sets <- lapply(seq_len(nrow(y)), function(i) which(y[i, ] == 1))
  key <- vapply(sets, paste, "", collapse = " ")
  rows <- list()
  emit <- function(i, class, weight = 1) rows[[length(rows) + 1]] <<- list(row = i, class = class, weight = weight)
  frequency <- colSums(y)
  count <- table(factor(key, unique(key)))
  frequent <- names(count)[count >= min_count]
  for (i in seq_along(sets)) {
    s <- sets[[i]]
    if (how %in% c("lp", "ppt")) {
      if (how == "lp" || key[i] %in% frequent) {
        emit(i, paste0("{", key[i], "}"))
      } else if (rare != "discard") {
        for (k in oracle_subsets(s, frequent, count, rare, b, increasing)) emit(i, paste0("{", k, "}"))
      }
    } else if (length(s) > 0) {
      if (how == "ala") for (l in s) emit(i, l)
      if (how == "ela") for (l in s) emit(i, l, 1 / length(s))
      if (how == "nla" && length(s) == 1) emit(i, s)
      if (how == "lla") emit(i, s[which.max(frequency[s])])
      if (how == "sla") emit(i, s[which.min(frequency[s])])
    }
  }
  if (length(rows) == 0) return(NULL)
  part <- function(name) unlist(lapply(rows, `[[`, name), use.names = FALSE)
  data.frame(row = part("row"), class = part("class"), weight = part("weight"))
}

oracle_subsets <- function(s, frequent, count, rare, b, increasing) {
  sets <- lapply(strsplit(frequent, " "), as.integer)
  ok <- vapply(sets, function(k) length(k) > 0 && length(k) < length(s) && all(k %in% s), NA)
  sets <- sets[ok]
  names <- frequent[ok]
  if (length(sets) == 0) return(character())
  size <- lengths(sets)
  n <- as.vector(count[names])
  padded <- t(vapply(sets, function(k) c(k, rep(0, 20 - length(k))), numeric(20)))
  position <- integer(length(sets)); position[do.call(order, as.data.frame(padded))] <- seq_along(sets)
  # Mulan numbers the subsets of a set by their bits, the first label highest, and takes equal sizes by this number.
  bits <- vapply(sets, function(k) sum(2^(length(s) - match(k, s))), 0)
  visit <- if (rare == "subsets" && increasing) order(size, bits) else order(-size, -n, position)
  if (rare == "A") return(names[utils::head(visit, b)])
  if (rare == "B") return(names[visit][size[visit] > b])
  taken <- character()
  left <- s
  for (v in visit) {
    if (all(sets[[v]] %in% left)) {
      taken <- c(taken, names[v])
      left <- setdiff(left, sets[[v]])
    }
  }
  taken
}

oracle_table <- function(f, rows) {
  levels <- factor(f[rows$row])
  tapply(rows$weight, list(levels, factor(rows$class)), sum, default = 0)
}

oracle_chi2 <- function(x, rows) {
  apply(x, 2, function(f) {
    o <- oracle_table(f, rows)
    e <- outer(rowSums(o), colSums(o)) / sum(o)
    sum((o - e)^2 / e)
  })
}

oracle_trans_mi <- function(x, rows) {
  apply(x, 2, function(f) {
    o <- oracle_table(f, rows)
    p <- o / sum(o)
    e <- outer(rowSums(p), colSums(p))
    sum((p * log2(p / e))[p > 0])
  })
}

oracle_mfs <- function(x, y, weighted = TRUE) {
  y <- occurring(y)
  q <- ncol(y)
  n <- sum(rowSums(y) > 0)
  factor <- if (q > 1 && n > q) (n - q) / (q - 1) else 1
  apply(x, 2, function(f) {
    entries <- lapply(seq_len(q), function(l) f[y[, l] == 1])
    m <- mean(unlist(entries))
    between <- sum(vapply(entries, function(v) length(v) * (mean(v) - m)^2, 0))
    scatter <- vapply(entries, function(v) if (length(unique(v)) == 1) 0 else sum((v - mean(v))^2), 0)
    within <- if (weighted) sum(scatter) else sum(scatter / lengths(entries))
    if (between < 1e-25) 0 else if (within == 0) Inf else factor * between / within
  })
}
