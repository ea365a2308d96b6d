# Arguments that are no sensible values at all: each ends with an error of the package, whatever its type.
# tools/nonsense.R tries many more values, in every argument of every function.

refused <- function(code, message, ...) expect_error(code, message, class = "mlsift_error", ...)

not_utf8 <- "\xff\xfe{"

test_that("strings that are not valid UTF-8 are refused and shown in angle brackets", {
  refused(lrn_mlknn(scale = not_utf8), "must be one of .auto., .zscore., or .none.")
  refused(lrn_mlknn(scale = not_utf8), "<ff><fe>{", fixed = TRUE)
  refused(sift_features(not_utf8, sel_mim()), "<ff><fe>")
  task <- mltask(data.frame(a = 1:3 / 2), c(0, 1, 0))
  refused(sift_features(task, not_utf8), "must be of class")
  refused(sift_features(task, sel_mim(), include = not_utf8), "must be valid UTF-8")
  refused(mltask(data.frame(a = 1:3 / 2), c(0, 1, 0), name = not_utf8), "must be valid UTF-8")
  latin1 <- "caf\xe9"
  Encoding(latin1) <- "latin1"
  expect_identical(nchar(mltask(data.frame(a = 1:3 / 2), c(0, 1, 0), name = latin1)$name), 4L)
  expect_identical(printable(c("a", NA, "b\xe9", latin1)), c("a", NA, "b<e9>", "caf\u00e9"))
})

test_that("what was found is described whatever it is", {
  expect_identical(describe(matrix(1)), "a matrix of size 1 x 1")
  expect_identical(describe(strrep("a", 300)), paste0("\"", strrep("a", 200), "...\""))
  expect_identical(describe("a\nb"), "\"a\\nb\"")
  values <- list(quote(a), quote(f(x)), a ~ b, new.env(), mean, sum, as.raw(1), 1i, expression(a), Sys.Date(), list())
  for (x in values) {
    expect_type(describe(x), "character")
    refused(sel_mim(base = x), "must be a")
    refused(lrn_mlknn(neighbors = x), "must be a whole number")
  }
})

test_that("64-bit integers are not read as tiny numbers", {
  one <- structure(4.9e-324, class = "integer64")
  refused(sel_mim(base = one), "must be a")
  refused(lrn_mlknn(smoothing = one), "must be a")
  refused(lrn_mlknn(neighbors = structure(0, class = "integer64")), "must be a")
})

test_that("functions and other objects are no kind, name, imputer or choice of columns", {
  x <- data.frame(a = 1:4 / 2, b = 4:1)
  y <- c(0, 1, 0, 1)
  for (value in list(mean, quote(a), new.env(), expression(a), pairlist(a = 1))) {
    refused(mltask(x, y, kind = value), "`kind` must be one of")
    refused(sift_features(mltask(x, y), sel_mim(), include = value), "`include` must be names")
    refused(drop_features(mltask(x, y), value), "`what` must be some of")
  }
  splits <- rs_fixed(1:2, 3:4)
  assess <- function(impute) assess_features(mltask(x, y), "a", lrn_brknn(1), "hamming_loss", splits, impute = impute)
  for (value in list(Sys.Date(), factor("a"), mean, Matrix::Matrix(1))) {
    refused(assess(value), "`impute` must be something")
  }
  refused(mltask(mltask(x, y), targets = "a"), "must be a data frame")
  for (value in list(structure(1:4, class = "own"), structure(y, class = "integer64"))) {
    expect_error(mltask(x, value), class = "mlsift_error")
  }
  expect_identical(unname(targets(mltask(x, stats::setNames(y, c("a", NA, "b", "c"))))[, 1]), as.integer(y))
})

test_that("objects that lost their content are refused", {
  hollow <- structure(list(), class = "mltask")
  refused(sift_features(hollow, sel_mim()), "It is empty")
  refused(as_mltask(hollow), "It is empty")
  refused(sift_features(mltask(data.frame(a = 1:3 / 2), c(0, 1, 0)), structure(list(), class = "mlselector")),
    "It is empty")
  model <- fit(lrn_brknn(1), mltask(data.frame(a = 1:3 / 2), c(0, 1, 0)))
  refused(predict(model, hollow), "It is empty")
})

test_that("data without rows or columns are refused", {
  for (x in list(matrix(0, 0, 0), matrix(0, 3, 0), matrix(0, 0, 3), data.frame())) {
    expect_error(rank_test(x, direction = "minimize"), class = "mlsift_error")
    expect_error(compare_pairs(x, direction = "minimize"), class = "mlsift_error")
    expect_error(mltask(x, numeric(nrow(x))), class = "mlsift_error")
  }
  group <- Matrix::Matrix(0, 0, 0, sparse = TRUE)
  refused(rs_cv(group = group), "`group` must be a vector")
})

test_that("numbers that would fill the memory or give NaN are refused", {
  refused(disc_equal_width(bins = 2e9), "from 2 to 100000")
  refused(disc_equal_frequency(bins = .Machine$integer.max), "from 2 to 100000")
  refused(disc_auto(bins = 2e9), "from 2 to 100000")
  refused(rs_cv(repeats = .Machine$integer.max), "from 1 to 1000000")
  refused(sel_gmba(epochs = .Machine$integer.max), "from 1 to 1000000")
  refused(bayes_signed_rank(1:5, 5:1, n = .Machine$integer.max), "from 1 to 100000000")
  refused(simulate_mltask(10, noise = Inf), "must be a finite number")
  suppressWarnings(refused(critical_difference(.Machine$integer.max, 10), "has no value for so many methods"))
  expect_identical(stability(list(c("a", "b"), c("a", "b")), n_features = 9, level = 1)$conf_high, 1)
})

test_that("digits that are no numbers of digits are refused", {
  test <- rank_test(matrix(c(1:8, 8:1, 2:9) / 7, 8), direction = "minimize")
  for (digits in list(NA, -1, mean, "a", 1:2, NULL)) {
    refused(print(test, digits = digits), "`digits` must be a whole number")
  }
})

test_that("line breaks in names end neither rows of tables nor comments of LaTeX", {
  losses <- random_values(splits = 3)
  dimnames(losses)[[1]][1] <- "a\nb"
  dimnames(losses)[[3]][1] <- "c\r\nd"
  table <- score_table(hand_benchmark(losses, learner = "e\nf"), k = 2)
  plain <- gsub("\n", " ", "a\nb")
  for (style in c("console", "markdown", "latex", "ascii")) {
    lines <- format(table, style)
    expect_no_match(lines, "[\r\n]", label = style)
    expect_match(lines, plain, fixed = TRUE, all = FALSE, label = style)
    expect_match(lines, "c d", fixed = TRUE, all = FALSE, label = style)
  }
  expect_identical(escape_latex("a\nb_"), "a b\\_")
})

test_that("a name that is nearly one of a constructor is answered with it", {
  task <- numbered_task(1)
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  refused(sift_features(task, "MIMM"), "Did you mean `sel_mim[(][)]`")
  refused(sift_features(task, "sel_mimm"), "Did you mean `sel_mim[(][)]`")
  refused(sift_features(task, sel_mim(), discretizer = "equal_widht"), "Did you mean `disc_equal_width[(][)]`")
  refused(assess_features(task, 1, "brknm", "hamming_loss"), "Did you mean `lrn_brknn[(][)]`")
})

test_that("NULL is no vector in any version of R", {
  expect_false(is_atomic(NULL))
  expect_true(is_atomic(1:2) && is_atomic(factor("a")) && is_atomic(matrix(0, 1, 1)))
  expect_false(is_atomic(list(1)))
  space <- asNamespace("mlsift")
  asks <- Filter(function(name) "is.atomic" %in% all.names(body(space[[name]])),
    Filter(function(name) is.function(space[[name]]), ls(space, all.names = TRUE)))
  expect_identical(asks, "is_atomic")
  expect_error(mltask(NULL, 1:3), "It is NULL", class = "mlsift_error")
  expect_error(mltask(data.frame(a = 1:3 / 7), NULL), class = "mlsift_error")
})

test_that("each warning passes once, whatever its text", {
  long <- strrep("x", 20000)
  said <- capture_warnings(tell_once(for (text in c("", "a", long, "", "a", long)) warning(simpleWarning(text))))
  expect_identical(nchar(said), c(0L, 1L, 20000L))
})

test_that("numbers that integers cannot hold are refused as what they are, without a warning of R", {
  task <- simulate_mltask(20, 4, 2)
  calls <- list(
    function(n) tune_selection(task, sel_mim(), lrn_brknn(), "hamming_loss", n, rs_cv(2)),
    function(n) benchmark_selectors(task, sel_mim(), lrn_brknn(), rs_cv(2), k = n, progress = FALSE),
    function(n) sift_features(task, sel_mim(), k = n[length(n)]),
    function(n) chunk_source(function(i) NULL, "a", "b", n_rows = -n[length(n)]),
    function(n) rs_fixed(1, n), function(n) lrn_cc_knn(chain_order = n), function(n) sel_group_jmi(groups = matrix(n)),
    function(n) stability(list(1:2, n), n_features = 4), function(n) task[, n]
  )
  for (call in calls) for (n in list(Inf, c(2, Inf), 1e10, c(2, 1e10), 2^53, NaN)) {
    expect_no_warning(refused(call(n), "."))
  }
  refused(tune_selection(task, sel_mim(), lrn_brknn(), "hamming_loss", c(2, Inf)), "contains Inf")
  refused(tune_selection(task, sel_mim(), lrn_brknn(), "hamming_loss", 1e10), "from 1 to 2147483647")
  refused(sift_features(task, sel_mim(), k = 1e10), "from 1 to 2147483647")
  refused(sift_features(task, sel_mim(), k = -1e10), "1 or more")
  many <- .Machine$integer.max
  expect_no_warning(refused(split_rows(task, rs_holdout(n_train = many, n_test = many)), "must fit into the task"))
})

test_that("packages are checked for the version that DESCRIPTION asks for", {
  asked <- utils::packageDescription("mlsift")[c("Suggests", "Enhances")]
  # R CMD build breaks lines, also within a version.
  asked <- trimws(strsplit(gsub("\\s+", " ", paste(unlist(asked), collapse = ",")), ",")[[1]])
  version <- sub(".*>= *(.*)\\)", "\\1", asked)
  least <- vapply(sub("[ (].*", "", asked), function(package) format(least_version(package)), "")
  expect_identical(unname(least), ifelse(grepl(">=", asked), version, "0.0"))
  # A version just below, and that one itself.
  local_mocked_bindings(least_version = function(package) package_version("99.1"))
  expect_snapshot(error = TRUE, check_package("stats", "This test"), transform = function(x) {
    sub(getNamespaceVersion("stats"), "<version>", x, fixed = TRUE)
  })
  local_mocked_bindings(least_version = function(package) package_version(getNamespaceVersion(package)))
  expect_silent(check_package("stats", "This test"))
})

test_that("each use of an optional package checks its version", {
  local_mocked_bindings(least_version = function(package) package_version("99.1"))
  expect_error(step_sift(NULL), "needs the package recipes, version 99.1 or later", class = "mlsift_error")
  expect_error(prep.step_sift(list()), "needs the package recipes, version 99.1 or later", class = "mlsift_error")
})

test_that("numbers have different texts unless they are equal", {
  x <- c(0.3, 0.1 + 0.2, 1 / 3, 1 / 3 + 1e-16, 1e-300, 2, 1e15, NA)
  expect_identical(as.numeric(number_text(x)), x)
  expect_identical(number_text(x[c(1, 6)]), c("0.3", "2"))
  expect_identical(as_levels(c(2, 0.5, NA, 2)), factor(c(2, 0.5, NA, 2)))
  expect_identical(as.integer(as_levels(x[2:1])), 2:1)
})

test_that("numbers that agree in 15 digits are two classes, folds and groups", {
  near <- rep(c(0.3, 0.1 + 0.2), 10)
  x <- data.frame(f = seq_along(near) %% 7)
  task <- mltask(x, data.frame(l = near), kind = "class")
  expect_identical(as.integer(targets(task)$l), rep(1:2, 10))
  expect_identical(as_categories(cbind(near), "y"), as_categories(data.frame(near), "y"))
  expect_identical(as.numeric(as_categories(cbind(near), "y")), near)
  expect_identical(as.integer(check_folds(near, 20L)), rep(1:2, 10))
  expect_identical(check_unit_groups(near[1:2], c("f", "g"))$unit, 1:2)
})

test_that("a similar name is found as among all of them, however many there are", {
  withr::local_seed(1)
  words <- replicate(300, paste(sample(letters[1:4], sample(1:9, 1), TRUE), collapse = ""))
  for (word in replicate(40, paste(sample(letters[1:4], sample(1:9, 1), TRUE), collapse = ""))) {
    distance <- utils::adist(word, words)[1, ]
    near <- if (min(distance) <= min(max(2, nchar(word) / 3), nchar(word) - 1)) words[which.min(distance)]
    expect_identical(nearest_name(word, words), near)
  }
  long <- strrep("ab", 99)
  expect_lt(system.time(nearest_name(long, paste0(long, 1:1e5)), gcFirst = FALSE)[["user.self"]], 5)
})

# All calls within an expression.
calls_within <- function(code) {
  parts <- if (is.call(code) || is.pairlist(code)) Filter(Negate(rlang::is_missing), as.list(code))
  c(if (is.call(code)) list(code), unlist(lapply(parts, calls_within), recursive = FALSE))
}

# The argument that a check in a call names in its errors: its `arg`, as given or by default.
checked_argument <- function(call, functions) {
  check <- if (is.symbol(call[[1]])) functions[[as.character(call[[1]])]]
  if (is.null(check) || !"arg" %in% names(formals(check))) return(NULL)
  matched <- match.call(check, call, expand.dots = FALSE)
  arg <- matched$arg %||% formals(check)$arg
  if (is.call(arg) && identical(arg[[1]], quote(rlang::caller_arg))) arg <- deparse(matched[[as.character(arg[[2]])]])
  if (is.character(arg)) arg
}

test_that("errors of functions and methods name arguments that these have", {
  namespace <- asNamespace("mlsift")
  functions <- Filter(is.function, mget(ls(namespace, all.names = TRUE), namespace))
  public <- union(getNamespaceExports("mlsift"), getNamespaceInfo("mlsift", "S3methods")[, 3])
  n_checks <- 0L
  for (name in intersect(public, names(functions))) {
    calls <- calls_within(body(functions[[name]]))
    texts <- unlist(lapply(calls, \(call) Filter(is.character, as.list(call)[-1])))
    written <- unlist(regmatches(texts, gregexpr("(?<=[{][.]arg )[[:alnum:]_.]+(?=[}])", texts, perl = TRUE)))
    named <- c(written, unlist(lapply(calls, checked_argument, functions)))
    # candidate_scores() names an argument of sift_features().
    unknown <- setdiff(named, c(names(formals(functions[[name]])), if (name == "candidate_scores") "k"))
    expect_false(length(unknown) > 0, info = paste(name, unknown))
    n_checks <- n_checks + length(named)
  }
  expect_gt(n_checks, 300L)
})

test_that("methods name the argument that they have", {
  withr::local_seed(1)
  path <- utils::head(sift_features(simulate_mltask(40, 4, 2), sel_mtl(), k = 3), 2)
  refused(coef(path), "`object`")
  refused(selection_path(path), "`selection`")
})

test_that("a number that a quantile does not take is refused without a warning of R", {
  expect_no_warning(refused(critical_difference(.Machine$integer.max, 10), "Studentized range has no value"))
})

test_that("no message has a range of an empty set, or of one number", {
  one <- tempfile(fileext = ".arff")
  writeLines(c("@relation r", "@attribute a numeric", "@data", "1", "2"), one)
  for (labels in c(1, -1, 2)) {
    expect_error(read_mulan(one, labels = labels), "attributes for features and for targets.*only \"a\"",
      class = "mlsift_error")
  }
  none <- data.frame(row.names = 1:3)
  expect_error(mltask(none, targets = 1), "`targets` must be left out: there is no column", class = "mlsift_error")
  expect_error(simulate_mltask(20, 5, n_relevant = 5, n_redundant = 1), "`n_redundant` must be 0[.]",
    class = "mlsift_error")
})

test_that("what is no path, no targets, no columns and no kind is refused without a warning of R", {
  df <- data.frame(a = 1:4 + 0.5, b = c(0, 1, 1, 0))
  refused <- function(code, text) expect_no_warning(expect_error(code, text, class = "mlsift_error"))
  long <- strrep("long", 25000)
  for (read in list(read_mulan, read_libsvm, read_chunks)) refused(read(long), "a text of 100,000 bytes")
  refused(write_mulan(mltask(df, targets = "b"), long), "`file` must be the path of a file")
  refused(write_mulan(mltask(df, targets = "b"), tempfile(), long), "`xml` must be the path of a file")
  refused(mltask(df["a"], matrix(list(1), 4, 2)), "Targets must be a matrix")
  refused(mltask(df, targets = "b", exclude = list()), "`exclude` must choose columns")
  refused(mltask(df, targets = "b", kind = rlang::quo(a + b)), "`kind` must be one of")
  file <- withr::local_tempfile(fileext = ".arff")
  writeLines(c("@relation r", "@attribute f numeric", "@attribute t {0,1}", "@data", "1,0", "2,1"), file)
  expect_identical(target_names(read_mulan(file, labels = matrix(-1))), "t")
})

test_that("messages without markup look as cli prints them", {
  long <- "2 of 20 targets (\"a very  long name indeed\", \"\u65e5\u672c\", ...) do not\tvary and have no information."
  for (width in c(20, 80, Inf)) for (bullet in c("!", "i", "x", "v", " ", "*")) {
    withr::local_options(cli.condition_width = width)
    text <- stats::setNames(c(long, "Short.", long), c(bullet, "i", "!"))
    expect_identical(conditionMessage(rlang::catch_cnd(inform(text))), as.character(cli::format_message(text)))
  }
  withr::local_options(cli.condition_width = NULL, cli.width = 50)
  text <- c("!" = long)
  expect_identical(conditionMessage(rlang::catch_cnd(inform(text))), as.character(cli::format_message(text)))
})

test_that("the version that a package must have is found also where a line is broken", {
  fields <- list(Suggests = "cluster,\n    knitr (>=\n1.52), DBI (>= 1.1)", Enhances = "ranger")
  expect_identical(least_version("knitr", fields), package_version("1.52"))
  expect_identical(least_version("DBI", fields), package_version("1.1"))
  expect_identical(least_version("ranger", fields), package_version("0.0"))
  expect_identical(least_version("none", fields), package_version("0.0"))
})

test_that("errors name the function that the user called", {
  named <- function(code) rlang::call_name(rlang::catch_cnd(code, "mlsift_error")$call)
  task <- numbered_task(1)
  bad <- function(...) mltask(1:3, 1:2)
  model <- fit(lrn_nb(), task)
  expect_identical(named(sift_features(task, sel_mim(), k = -1)), "sift_features")
  expect_identical(named(sel_scls(base = 0)), "sel_scls")
  # Arguments, which are evaluated late and within the other function.
  expect_identical(named(sift_features(bad(), sel_mim())), "mltask")
  expect_identical(named(mltask(1:3, 1:2) |> sift_features(sel_mim(base = 0)) |> summary()), "mltask")
  expect_identical(named(sift(task, exclude = bad())), "mltask")
  # One of the package calls another one, also by a generic.
  expect_identical(named(sift(data.frame(a = 1:9 / 2, b = 1), b, weights = -1)), "sift")
  expect_identical(named(augment(model, 1)), "augment")
  expect_identical(named(predict(model, 1)), "predict")
  expect_identical(named(rbind(task, 1)), "rbind")
  # Functions of R between them.
  expect_identical(named(do.call("mltask", list(1:3, 1:2))), "mltask")
  expect_identical(named(lapply(list(1:2), mltask, x = 1:3)), "FUN")
  expect_identical(named(withCallingHandlers(tryCatch(bad(), warning = identity), message = identity)), "mltask")
  # A callback, and C++ between the function and what fails.
  expect_identical(named(sift_features(task, sel_custom("Mine", bad))), "mltask")
  chunks <- chunk_source(function(i) if (i < 3) list(x = matrix(i / 2, 2, 3 - i), y = cbind(0:1)), c("a", "b"), "y")
  expect_identical(named(sift_features(chunks, sel_mim(), discretizer = NULL)), "sift_features")
})

test_that("an object that is not given is asked for in the name of the function that needs it", {
  task <- simulate_mltask(20, 4, 2)
  expect_snapshot(error = TRUE, {
    sift_features(task)
    split_rows(task)
    assess_features()
    tune_selection()
    lrn_chain()
    sel_turf()
  })
})

test_that("how a session prints numbers changes no code, name or level", {
  df <- data.frame(a = rep(c(0.5, 0.1 + 0.2, 1e5), 8), b = rep(1:4, 6) / 4, l = rep(c(0.5, 2.5), 12),
    i = rep(c(3L, 100000L, 1L), 8))
  file <- withr::local_tempfile(fileext = ".csv")
  write.csv(df, file, row.names = FALSE)
  some <- function(column, i) df[12 * i - 11:0, column, drop = FALSE]
  part <- function(i) if (i < 3) list(x = some("l", i), y = some("a", i))
  found <- function() {
    classes <- mltask(df, targets = c("a", "i"), kind = "class", group = "b")
    on <- suppressMessages(mltask(df, targets = "l", on = 2.5))
    chunks <- suppressMessages(read_chunks(file, targets = "a", kind = "class", group = "b", exclude = "i"))
    spec <- sel_best(list(sel_cmim(base = 1.5)), lrn_mlknn(smoothing = 0.5), measure("macro_f1", empty = 0.5),
      resampling = rs_holdout(0.7))
    model <- fit(lrn_nb(), classes)
    list(
      classes = classes, on = on,
      chunks = sift_features(chunks, sel_mim(), k = 1)$score,
      parts = sift_features(chunk_source(part, "l", "a", kind = "class"), sel_mim(), k = 1)$score,
      spec = spec, code = spec_code(spec), name = measure("macro_f1", empty = 0.5)$name, model = model,
      same = evaluate(predict(model, df["l"]), df[c("a", "i")], measures = "accuracy")$value,
      many = counted(12000, "row")
    )
  }
  plain <- found()
  expect_identical(levels(targets(plain$classes)$a), c("0.30000000000000004", "0.5", "1e+05"))
  expect_match(plain$code, "rs_holdout(prop = 0.7)", fixed = TRUE)
  for (scipen in c(-9, 99)) {
    withr::local_options(OutDec = ",", scipen = scipen, digits = 3, warn = 2)
    here <- found()
    for (what in names(plain)) expect_identical(here[[what]], plain[[what]], info = what)
  }
})

test_that("exported functions name an argument that is missing", {
  space <- asNamespace("mlsift")
  own <- Filter(function(name) is.function(space[[name]]), getNamespaceExports("mlsift"))
  said <- vapply(own, function(name) {
    args <- formals(space[[name]])
    if (!any(vapply(args[names(args) != "..."], identical, NA, quote(expr = )))) return("")
    # Some can do without the argument.
    error <- or_else(tryCatch(suppressMessages(space[[name]]()), error = identity), NULL)
    if (inherits(error, "error") && !inherits(error, "mlsift_error")) conditionMessage(error) else ""
  }, "")
  expect_identical(unname(said[nzchar(said)]), character())
  error <- expect_error(sel_custom("mine"), "`fun` must be given", fixed = TRUE,
    class = "mlsift_error")
  expect_identical(rlang::call_name(error$call), "sel_custom")
})
