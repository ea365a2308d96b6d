# Changes single operators, constants and comparisons of formulas, and counts how many of these mutants a test catches:
#   Rscript tools/mutate.R [n] [seed] [results.csv] [pattern]
# n mutants (20 by default) are drawn from the headers in inst/include/mlsift that `header_tests` names and from
# R/compare-*.R, or from those whose path matches the pattern. Each is tried with the tests of its file, and those of
# headers also with the C++ tests that include them. Results are added to the file, and a mutant that it holds is not
# tried again. The share that was caught and the survivors of the file are printed.
# tools/mutants.csv explains survivors that change no result. They are counted apart. The exit status is 1 if fewer than
# 95 % of the others were caught.
#
# The tests try all their cases, or some with MLSIFT_TESTS=some in the environment, as tools/test.R does by default.
# mlsift must be installed from these sources. Nothing is written into the clone. A mutant of a header is quick, because
# only one file of the glue is compiled. It is loaded before mlsift, and the linker of Linux then prefers its functions,
# if those of mlsift are visible: install it by
#   MAKEFLAGS=CXX_VISIBILITY= R CMD INSTALL .

arguments <- commandArgs(TRUE)
n <- as.integer(c(arguments, "20")[1])
seed <- if (length(arguments) >= 2) as.integer(arguments[2]) else 1L
results <- if (length(arguments) >= 3) arguments[3] else tempfile("mutants-", fileext = ".csv")
pattern <- if (length(arguments) >= 4) arguments[4] else ""
if (is.na(n) || is.na(seed)) stop("Usage: Rscript tools/mutate.R [n] [seed] [results.csv] [pattern]")

root <- dirname(dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))))
if (grepl("[.]csv$", results)) results <- file.path(normalizePath(dirname(results)), basename(results))
work <- tempfile("mutate-")
dir.create(work)
setwd(root)
invisible(file.copy(c("inst/include", "tests/testthat"), work, recursive = TRUE))

shared <- list.files(system.file("libs", package = "mlsift"), "[.]so$", full.names = TRUE, recursive = TRUE)
if (!any(grepl(" _Z[^ ]*cpp_", system2("nm", c("-D", "--defined-only", shQuote(shared)), stdout = TRUE)))) {
  stop("Install mlsift from these sources with visible functions: MAKEFLAGS=CXX_VISIBILITY= R CMD INSTALL .")
}

compiler <- strsplit(Sys.getenv("MLSIFT_CXX", "g++"), " ")[[1]]

r_flags <- function() {
  folders <- vapply(c("Rcpp", "RcppArmadillo"), function(package) system.file("include", package = package), "")
  c(strsplit(system2(file.path(R.home("bin"), "R"), c("CMD", "config", "--cppflags"), stdout = TRUE), " ")[[1]],
    paste0("-I", folders))
}

# --- which test belongs to which file ---------------------------------------------------------------------------------

# Patterns of headers, their glue, and their tests. The first pattern that matches counts, in all rows that have it.
header_tests <- list(
  c("criteria/(relieff|relieff_br|relieff_ml|rrelieff|mlrf)[.]h", "relief.cpp", "test-sel-relieff.R"),
  c("criteria/surf|distance/mean_distance", "relief.cpp", "test-sel-surf.R"),
  c("knn_mi|data/classed_rows|distance/(feature_changes|near_|subspace)", "knn_mi.cpp",
    "test-sel-knn-mi.R"),
  c("criteria/gmba|distance/row_sums", "graph.cpp", "test-sel-gmba.R"),
  c("criteria/spec", "graph.cpp", "test-sel-spec.R"),
  c("criteria/qpmlfs", "quadratic.cpp", "test-sel-qpmlfs.R"),
  c("criteria/grro", "quadratic.cpp", "test-sel-grro.R"),
  c("criteria/(rfs|mdfs|mifs)|graph/neighbor_graph|solve/sparse_symmetric", "embedded.cpp", "test-sel-sparse.R"),
  c("criteria/mfs_mcdm", "linear.cpp", "test-sel-mfs-mcdm.R"),
  c("criteria/(ml_cfs|feature_correlations)", "correlate.cpp", "test-sel-ml-cfs.R"),
  c("graph/target_groups", "cluster.cpp", "test-select-target-groups.R"),
  c("criteria/(jmi3|jim|cmi)[.]h|count/joint/row_cells", "greedy.cpp", "test-sel-jmi3.R"),
  c("criteria/jmi[.]h", "greedy.cpp", "test-sel-jmi.R", "test-sel-greedy.R"),
  c("criteria/(chi2|trans_mi)", "rank.cpp", "test-sel-transformed.R", "test-selectors.R"),
  c("criteria/(ebls|mim|odds_ratio)", "rank.cpp", "test-selectors.R", "test-sel-mim.R"),
  c("count/(class_table|feature_table|relevance|target_columns|joint/(rows_in_(columns|tables)|target_counter))",
    "rank.cpp", "test-selectors.R", "test-sel-mim.R",
    "test-sel-transformed.R", "test-source-counts.R", "test-task-unknown.R"),
  c("count/(count_tables|joint/count_joint)|data/fixed_levels", "source.cpp", "test-source-counts.R",
    "test-source-chunks.R"),
  c("criteria/(cmim|jmim|least|normalized_terms)", "greedy.cpp", "test-sel-mrmr.R", "test-sel-greedy.R"),
  c("criteria/(greedy_criterion|linear|scls|mdmr|d2f2015)|core/(kept_vectors|run_bounds)|count/answer_sums",
    "greedy.cpp", "test-sel-greedy.R", "test-sel-classes.R", "test-borders.R"),
  c("criteria/label_(interaction|pairs|supplement)", "greedy.cpp", "test-sel-greedy.R"),
  c("criteria/information_bias", "rank.cpp", "test-sel-mim.R", "test-source-chunks.R"),
  c("criteria/", "rank.cpp", "test-selectors.R", "test-sel-mim.R", "test-select-sift-features.R"),
  c("measure/class_based", "measure.cpp", "test-msr-class.R", "test-measure-weights.R"),
  c("measure/regression", "measure.cpp", "test-msr-numeric.R", "test-measure-weights.R"),
  c("measure/", "measure.cpp", "test-msr.R", "test-measure-weights.R", "test-measure-measures.R"),
  c("learn/(brknn|neighbor_labels)", "learn.cpp", "test-lrn-brknn.R", "test-lrn-mlknn.R", "test-lrn-knn-regression.R"),
  c("learn/mlknn", "learn.cpp", "test-lrn-mlknn.R"),
  c("learn/knn_regression", "learn.cpp", "test-lrn-knn-regression.R"),
  c("learn/classifier_chain", "learn.cpp", "test-lrn-cc-knn.R"),
  c("learn/label_powerset", "learn.cpp", "test-lrn-lp.R"),
  c("learn/(naive_bayes|level_odds|normal_)", "bayes.cpp", "test-lrn-nb.R", "test-lrn-mlnb.R"),
  c("model/design|learn/(logistic|ridge)", "linear.cpp", "test-lrn-brlr.R", "test-lrn-linear.R"),
  c("data/discretize", "discretize.cpp", "test-disc-discretize.R", "test-disc-auto.R"),
  c("data/laim", "discretize.cpp", "test-disc-laim.R"),
  c("data/mdlp", "discretize.cpp", "test-disc-mdlp.R"),
  c("data/transform", "rank.cpp", "test-sel-transformed.R", "test-selectors.R"),
  c("resample/", "resample.cpp", "test-resample-rows.R", "test-resample-quality.R"),
  c("search/(genetic|pareto|sequential|subset|swarm)", "search.cpp", "test-search-run.R", "test-wrapper-selectors.R"),
  c("read/(arff|number|read_rows)", "read.cpp", "test-task-read-mulan.R", "test-task-write-mulan.R"),
  c("read/libsvm", "read.cpp", "test-task-read-libsvm.R"),
  c("search/greedy", "greedy.cpp", "test-sel-greedy.R", "test-borders.R", "test-borders-features.R"),
  c("search/(units_left|ranked_scores)", "path.cpp", "test-select-units.R"),
  c("search/rank", "rank.cpp", "test-selectors.R", "test-select-sift-features.R", "test-borders-features.R"),
  c("core/lane", "quadratic.cpp", "test-sel-qpmlfs.R"),
  c("core/(bits|leaders|prefetch|step_scores|xlogx)", "greedy.cpp", "test-sel-greedy.R", "test-borders.R",
    "test-borders-features.R"),
  c("count/(joint_rows|joint/rows_(elsewhere|in_chunks))", "greedy.cpp", "test-source-chunks.R",
    "test-source-database.R"),
  c("count/(informations|target_cells|joint/((joint|pair|row|bit|group)_counter|rows_in_memory))",
    "greedy.cpp", "test-sel-greedy.R", "test-sel-jmi.R", "test-borders.R", "test-borders-features.R"),
  c("count/joint/(layout|met_levels|row_cells|margin_classes|dense_targets)", "greedy.cpp", "test-sel-greedy.R",
    "test-sel-jmi.R", "test-sel-jmi3.R", "test-task-weights.R"),
  c("distance/", "relief.cpp", "test-sel-relieff.R", "test-borders.R"),
  c("distance/", "learn.cpp", "test-lrn-brknn.R", "test-lrn-mlknn.R"),
  c("data/scan", "task.cpp", "test-task-mltask.R", "test-disc-auto.R"),
  c("data/(column|indicators|targets|target_bits)", "greedy.cpp", "test-sel-greedy.R", "test-borders.R"),
  c("data/(column|indicators|targets|target_bits)", "source.cpp", "test-source-counts.R", "test-source-chunks.R"),
  c("data/(column|indicators|targets|target_bits)", "rank.cpp", "test-selectors.R", "test-borders.R"),
  c("graph/", "graph.cpp", "test-task-label-graph.R", "test-sel-gmba.R", "test-sel-spec.R"),
  c("solve/kmedoids", "cluster.cpp", "test-select-target-groups.R"),
  c("solve/(eigenpairs|simplex_qp)", "quadratic.cpp", "test-sel-qpmlfs.R"),
  c("model/|solve/row_descent", "lasso.cpp", "test-sel-mtl.R"),
  c("solve/tridiagonal", "quadratic.cpp", "test-sel-grro.R"),
  c("solve/", "linear.cpp", "test-lrn-brlr.R", "test-lrn-linear.R")
)

# Files of R without a test file of their own.
shared_tests <- list(
  "adjust-p" = "rank-test", "rank-statistics" = c("rank-test", "summary", "pairs"), "rank-test-print" = "rank-test",
  "score-table-print" = "score-table"
)

# The headers of ours that a C++ file includes.
headers_of <- function(file, more = r_flags()) {
  flags <- c("-std=c++17", "-MM", "-Iinst/include", more, file)
  rules <- system2(compiler[1], shQuote(c(compiler[-1], flags)), stdout = TRUE)
  found <- unlist(regmatches(rules, gregexpr("inst/include/mlsift/\\S+", rules)))
  gsub("[^/]+/[.][.]/", "", sub("^inst/include/", "", found))
}

# A list of list(glue, tests); without glue for files of R.
tests_of <- function(file) {
  if (endsWith(file, ".R")) {
    name <- sub("^compare-(.*)[.]R$", "\\1", basename(file))
    if (name %in% names(shared_tests)) name <- shared_tests[[name]]
    return(list(list(tests = paste0("test-compare-", name, ".R"))))
  }
  patterns <- vapply(header_tests, `[`, "", 1)
  rows <- header_tests[patterns == Find(function(pattern) grepl(pattern, file), patterns)]
  includes <- function(row) sub("^inst/include/", "", file) %in% headers_of(file.path("src", row[2]))
  rows <- Filter(includes, rows)
  if (length(rows) == 0) stop("No glue in `header_tests` includes ", file)
  lapply(rows, function(row) list(glue = row[2], tests = row[-(1:2)]))
}

# --- mutants ----------------------------------------------------------------------------------------------------------

swaps <- c(
  "+" = "-", "-" = "+", "*" = "/", "/" = "*", "<" = "<=", "<=" = "<", ">" = ">=", ">=" = ">", "==" = "!=",
  "!=" = "==", "&&" = "||", "||" = "&&", "&" = "|", "|" = "&", "+=" = "-=", "-=" = "+=", "true" = "false",
  "false" = "true", "TRUE" = "FALSE", "FALSE" = "TRUE", "min" = "max", "max" = "min", "pmin" = "pmax", "pmax" = "pmin"
)

changed <- function(text) {
  if (text %in% names(swaps)) return(swaps[[text]])
  number <- sub("L$", "", text)
  paste0(format(as.numeric(number) + 1, digits = 15), if (endsWith(text, "L")) "L")
}

# Places that can be changed: a data frame of line, column and text.
places_in_r <- function(lines) {
  data <- utils::getParseData(parse(text = lines, keep.source = TRUE))
  data <- data[data$terminal & (data$text %in% names(swaps) | data$token == "NUM_CONST"), ]
  data <- data[!grepl("^(NA|Inf|NaN)|e|x", data$text) | data$text %in% names(swaps), ]
  data <- data[!data$token %in% c("STR_CONST", "COMMENT", "SYMBOL_SUB", "SYMBOL_FORMALS"), ]
  data.frame(line = data$line1, column = data$col1, text = data$text)
}

places_in_cpp <- function(lines) {
  rows <- lapply(seq_along(lines), function(i) {
    code <- sub("//.*", "", lines[i])
    if (grepl("^\\s*#|^\\s*template|static_assert|^\\s*throw ", code)) return(NULL)
    # Operators stand between spaces, unlike brackets of templates.
    operators <- gregexpr("(?<= )([-+*/]|[-+]=|<=?|>=?|==|!=|&&|\\|\\|)(?= )", code, perl = TRUE)[[1]]
    wanted <- "\\b(true|false|(?<=std::)(min|max))\\b|(?<![\\w.\"])\\d+(\\.\\d+)?(?![\\w.\"])"
    words <- gregexpr(wanted, code, perl = TRUE)[[1]]
    from <- c(operators, words)
    to <- from + c(attr(operators, "match.length"), attr(words, "match.length")) - 1
    found <- data.frame(line = i, column = from, text = substring(code, from, to))
    found[from > 0, ]
  })
  do.call(rbind, rows)
}

mutants_of <- function(file) {
  lines <- readLines(file)
  places <- if (endsWith(file, ".R")) places_in_r(lines) else places_in_cpp(lines)
  if (is.null(places) || nrow(places) == 0) return(NULL)
  code <- lines[places$line]
  indent <- attr(regexpr("^\\s*", code), "match.length")
  change <- vapply(places$text, changed, "")
  cbind(file = file, places, change = change, code = trimws(code), at = places$column - indent)
}

mutate <- function(lines, one) {
  line <- lines[one$line]
  lines[one$line] <- paste0(
    substr(line, 1, one$column - 1), changed(one$text), substring(line, one$column + nchar(one$text))
  )
  lines
}

# --- trying one -------------------------------------------------------------------------------------------------------

# The child: with a library of mutated glue, or a file of R whose functions replace those of the package.
child <- file.path(work, "child.R")
writeLines(c(
  "arguments <- commandArgs(TRUE)",
  "if (endsWith(arguments[1], \".so\")) invisible(dyn.load(arguments[1], local = FALSE))",
  "suppressPackageStartupMessages(library(mlsift))",
  "if (endsWith(arguments[1], \".R\")) {",
  "  space <- asNamespace(\"mlsift\")",
  "  made <- new.env(parent = space)",
  "  sys.source(arguments[1], made)",
  "  for (name in ls(made, all.names = TRUE)) {",
  "    value <- made[[name]]",
  "    if (is.function(value)) environment(value) <- space",
  "    if (bindingIsLocked(name, space)) get(\"unlockBinding\")(name, space)",
  "    assign(name, value, space)",
  "  }",
  "  methods <- getNamespaceInfo(space, \"S3methods\")",
  "  for (i in which(methods[, 3] %in% ls(made))) {",
  "    registerS3method(methods[i, 1], methods[i, 2], space[[methods[i, 3]]], envir = space)",
  "  }",
  "}",
  "for (file in arguments[-1]) testthat::test_file(file, package = \"mlsift\", load_package = \"installed\",",
  "  reporter = \"silent\", stop_on_failure = TRUE)"
), child)

run <- function(command, arguments, timeout, ...) {
  suppressWarnings(system2(command, shQuote(arguments), stdout = FALSE, stderr = FALSE, timeout = timeout, ...))
}

# "caught", "survived" or "invalid" (does not compile or parse). Tests that take longer than `timeout` have caught it.
try_mutant <- function(one, lines, timeout = 600) {
  for (part in tests_of(one$file)) {
    object <- if (is.null(part$glue)) write_r(lines) else compile(one$file, lines, part$glue)
    if (is.null(object)) return("invalid")
    files <- file.path(work, "testthat", part$tests)
    settings <- c("NOT_CRAN=true", paste0("MLSIFT_TESTS=", Sys.getenv("MLSIFT_TESTS", "all")))
    if (run(file.path(R.home("bin"), "Rscript"), c(child, object, files), timeout, env = settings) != 0) {
      return("caught")
    }
  }
  if (endsWith(one$file, ".h") && !passes_cpp(one$file, lines)) return("caught")
  "survived"
}

# Whether the C++ tests that include a header compile and pass with it.
passes_cpp <- function(file, lines) {
  program <- file.path(work, "test-cpp")
  with_header(file, lines, {
    for (test in list.files("tests/cpp", "^test-.*[.]cpp$", full.names = TRUE)) {
      if (!sub("^inst/include/", "", file) %in% headers_of(test, character())) next
      flags <- c("-std=c++17", "-O1", "-w", "-pthread", paste0("-I", file.path(work, "include")), "-o", program, test)
      if (run(compiler[1], c(compiler[-1], flags), 300) != 0 || run(program, character(), 300) != 0) return(FALSE)
    }
  })
  TRUE
}

# Evaluates `code` while the copy of a header has other lines.
with_header <- function(file, lines, code) {
  header <- file.path(work, "include", sub("^inst/include/", "", file))
  kept <- readLines(header)
  on.exit(writeLines(kept, header))
  writeLines(lines, header)
  force(code)
}

write_r <- function(lines) {
  object <- file.path(work, "mutant.R")
  writeLines(lines, object)
  if (!inherits(try(parse(object), silent = TRUE), "try-error")) object
}

compile <- function(file, lines, glue) {
  object <- file.path(work, "mutant.so")
  unlink(object)
  flags <- c("-std=c++17", "-O0", "-w", "-fPIC", "-shared", "-pthread", paste0("-I", file.path(work, "include")),
    r_flags(), "-o", object, file.path("src", glue))
  if (with_header(file, lines, run(compiler[1], c(compiler[-1], flags), 300)) == 0) object
}

# --- all --------------------------------------------------------------------------------------------------------------

headers <- list.files("inst/include/mlsift", "[.]h$", recursive = TRUE, full.names = TRUE)
tested <- paste(vapply(header_tests, `[`, "", 1), collapse = "|")
files <- c(headers[grepl(tested, headers)], list.files("R", "^compare-.*[.]R$", full.names = TRUE))
files <- files[grepl(pattern, files)]
mutants <- do.call(rbind, lapply(files, mutants_of))
# By file, code, place in the code and text, since lines move.
key <- function(table) paste(table$file, gsub("\\s+", " ", table$code), table$at, table$text, sep = "\t")
explained <- key(utils::read.csv("tools/mutants.csv"))
done <- if (file.exists(results)) utils::read.csv(results)
# Survivors are tried again, first of all, unless they are explained or gone.
again <- done$result == "survived" & !key(done) %in% explained & grepl(pattern, done$file)
retry <- mutants[key(mutants) %in% key(done[again, ]), ]
# What is written: a survivor stays in the file until it has been tried again.
write_results <- function() {
  waiting <- survived_before[!key(survived_before) %in% key(done), ]
  utils::write.csv(rbind(done, waiting), results, row.names = FALSE)
}
survived_before <- done[again & key(done) %in% key(mutants), ]
done <- done[!again, ]
cat(sprintf("%d mutants of %d files; %d were tried before, and %d survivors are tried again\n", nrow(mutants),
  length(files), sum(key(mutants) %in% key(done)), nrow(retry)))
set.seed(seed)
left <- rbind(retry, mutants[sample(nrow(mutants)), ])
left <- left[!key(left) %in% key(done) & !duplicated(key(left)), ]

# Without a change, the tests pass: otherwise everything would count as caught. The seconds that they take, or NA.
sound <- new.env()
seconds_of_tests <- function(one) {
  tests <- paste(unlist(tests_of(one$file)), collapse = " ")
  if (is.null(sound[[tests]])) {
    time <- system.time(result <- try_mutant(one, readLines(one$file)))[["elapsed"]]
    sound[[tests]] <- if (result == "survived") time else NA
    if (result != "survived") cat("Left out, since the tests fail without a change:", tests, "\n")
  }
  sound[[tests]]
}

tried <- 0L
for (i in seq_len(nrow(left))) {
  if (tried >= n + nrow(retry)) break
  one <- left[i, ]
  seconds <- seconds_of_tests(one)
  if (is.na(seconds)) next
  one$result <- try_mutant(one, mutate(readLines(one$file), one), 60 + 5 * seconds)
  done <- rbind(done, one)
  write_results()
  if (one$result != "invalid") tried <- tried + 1L
}

all <- done[done$result != "invalid" & grepl(pattern, done$file), ]
harmless <- all$result == "survived" & key(all) %in% explained
survivors <- all[all$result == "survived" & !harmless, ]
cat(sprintf("%d of %d mutants were caught, %d survived that change no result, and of the others %.0f %% were caught.\n",
  sum(all$result == "caught"), nrow(all), sum(harmless), 100 * mean(all$result[!harmless] == "caught")))
if (nrow(survivors) > 0) cat(sprintf("  survived: %s:%d:%d, %s becomes %s: %s\n", survivors$file, survivors$line,
  survivors$column, survivors$text, survivors$change, survivors$code), sep = "")
cat("All results:", results, "\n")
unlink(work, recursive = TRUE)
if (mean(all$result[!harmless] == "caught") < 0.95) quit(status = 1)
