# Iterative stratification, straight from algorithm 1 of Sechidis et al. (2011): everything is counted anew at each
# step. `order` is the shuffled order of the rows, `uniform` breaks the ties of the t-th row that is placed.
oracle_stratify <- function(y, share, order, uniform) {
  n <- nrow(y)
  fold <- rep(NA_integer_, n)
  placed <- 0
  put <- function(i, desire) {
    rows_wanted <- share * n
    for (j in fold[!is.na(fold)]) rows_wanted[j] <- rows_wanted[j] - 1
    best <- which(desire == max(desire))
    best <- best[rows_wanted[best] == max(rows_wanted[best])]
    placed <<- placed + 1
    fold[i] <<- best[floor(uniform[placed] * length(best)) + 1]
  }
  repeat {
    left <- colSums(y[is.na(fold), , drop = FALSE])
    if (all(left == 0)) break
    label <- which(left == min(left[left > 0]))[1]
    for (i in order[is.na(fold[order]) & y[order, label] == 1]) {
      desire <- share * sum(y[, label])
      for (j in fold[!is.na(fold) & y[, label] == 1]) desire[j] <- desire[j] - 1
      put(i, desire)
    }
  }
  for (i in order[is.na(fold[order])]) {
    desire <- share * n
    for (j in fold[!is.na(fold)]) desire[j] <- desire[j] - 1
    put(i, desire)
  }
  fold
}
