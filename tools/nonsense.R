# Calls every exported function and S3 method with nonsense in each argument in turn, on tiny data:
#   Rscript tools/nonsense.R [function ...]
# Each call must end with a value that prints and holds no NaN, or with an error of class mlsift_error, within 5 s and
# with 1 GB more memory (Linux only), and without a warning of R or of another package. What is made is used too: a
# selector selects, a learner is trained. Every other ending is printed, and then the exit status is 1. mlsift must be
# installed. Calls run in processes of their own, so that a crash or an endless loop counts as a finding of its call.

# Code for arguments without a default, whatever the function. `examples` below holds the objects.
valid_arguments <- list(
  bench = "bench", folder = "begun", learner = "lrn_brknn()", measure = "\"hamming_loss\"",
  measures = "\"hamming_loss\"", selection = "selection", selector = "sel_mim()", task = "task"
)

# The same of measures, by the kind of their targets.
measure_arguments <- list(
  label = list(truth = "truth", response = "truth[5:1, ]", score = "truth[5:1, ] / 2"),
  class = list(truth = "categories", response = "rev(categories)", score = "category_scores"),
  numeric = list(truth = "losses", response = "losses + 1")
)

# What a valid call of single functions has besides, or instead.
valid_calls <- list(
  as_mltask = list(x = "task"),
  assess_features = list(features = "\"f1\"", resampling = "rs_cv(2)"),
  bayes_correlated_t = list(x = "losses[, 1]", y = "losses[, 2]", test_share = "0.2"),
  bayes_signed_rank = list(x = "losses[, 1]", y = "losses[, 2]", n = "1000"),
  benchmark_selectors = list(tasks = "task", selectors = "sel_mim()", learners = "lrn_brknn()",
    resampling = "rs_cv(2)", k = "1:2", progress = "FALSE"),
  candidate_scores = list(selection = "path"),
  chunk_source = list(next_chunk = "function(i) if (i == 1) task", features = "feature_names(task)",
    targets = "target_names(task)"),
  compare_pairs = list(x = "losses", direction = "\"minimize\""),
  count_tables = list(x = "task"),
  critical_difference = list(n_methods = "4", n_datasets = "10"),
  db_source = list(con = "NULL", x = "\"words\"", y = "\"tags\""),
  extend_selection = list(selection = "path", k = "3"),
  filter_frequent = list(task = "sparse", prop = "0.5"),
  lrn_binary = list(name = "\"own\"", fit = "function(x, y) mean(y == levels(y)[2])",
    predict = "function(model, x) rep(model, nrow(x))"),
  lrn_custom = list(name = "\"own\"", fit = "function(x, y) colMeans(y)",
    predict = "function(model, x) matrix(model, nrow(x), length(model), byrow = TRUE)"),
  measure = list(name = "\"macro_f1\""),
  mltask = list(x = "x", y = "y"),
  msr_arrmse = list(train_mean = "colMeans(losses)"),
  msr_custom = list(name = "\"own\"", fun = "function(truth, response) mean(truth != response)"),
  plot_searches = list(searches = "search"),
  rank_test = list(x = "losses", direction = "\"minimize\""),
  read_chunks = list(file = "arff", labels = "-2"),
  read_libsvm = list(file = "svm"),
  read_mulan = list(file = "arff", labels = "-2"),
  reproduce = list(paper = "\"group-jmi\"", data = "list(image = task)", folder = "tempfile()", repeats = "1",
    studies = "\"jmi\"", k = "1:2", progress = "FALSE"),
  rs_custom = list(splits = "list(list(train = 1:20, test = 21:40))"),
  rs_fixed = list(train = "1:20", test = "21:40"),
  plot_feature = list(feature = "\"f1\""),
  score_test = list(n = "19"),
  search_front = list(x = "search"),
  selection_path = list(selection = "sift_features(task, sel_mtl(), k = 2)"),
  search_history = list(x = "search"),
  sel_custom = list(name = "\"own\"", fun = "function(task, k) seq_len(ncol(task))"),
  sel_importance = list(name = "\"own\"", fit = "function(x, y) ncol(x)", importance = "seq_len"),
  sel_ensemble = list(selectors = "list(sel_mim(), sel_mfs())"),
  sel_turf = list(selector = "sel_surf()"),
  sift = list(data = "task", learner = "lrn_brknn()", selectors = "sel_mim()", outer = "rs_cv(2)"),
  as_code = list(x = "answer"),
  simulate_mltask = list(n = "20"),
  split_rows = list(resampling = "rs_cv(2)"),
  spread_source = list(parts = "list(task)", workers = "\"none\""),
  stability = list(x = "list(c(\"a\", \"b\"), c(\"a\", \"c\"))", n_features = "9"),
  split_labels = list(x = "c(\"a; b\", NA, \"\")"),
  subset_targets = list(targets = "\"l1\""),
  tune_selection = list(selectors = "sel_mim()", learner = "lrn_brknn()", measure = "\"hamming_loss\"",
    k = "1:2", resampling = "rs_cv(2)"),
  wilcoxon_test = list(x = "losses[, 1]", y = "losses[, 2]"),
  write_mulan = list(file = "\"out.arff\""),
  write_report = list(file = "\"out.html\"")
)

# The object that a method of a class is tried on, and what methods need besides.
class_objects <- c(
  mlbytask = "by_task(a = sel_mim())", mlreproduction = "reproduced",
  mlbestk = "best_k(bench, \"hamming_loss\")",
  mlbenchmark = "bench", mlbenchmarkstatus = "benchmark_status(begun)", mlcounts = "counts",
  mldiscretizer = "disc_auto()", mlfinding = "summary(ranktest)",
  mlimputer = "impute_mean()", mllabelgraph = "graph", mllabelscores = "labelscores", mllearner = "lrn_brknn()",
  mlmeasure = "measure", mlmodel = "model", mlpairs = "pairs", mlpairtest = "pairtest", mlposterior = "posterior",
  mlprediction = "prediction", mlranktest = "ranktest", mlresampling = "rs_cv(2)", mlscoretable = "scoretable",
  mlselection = "selection", mlselector = "sel_mim()", mlsource = "source", mlsettings = "search_control()",
  mlsift = "answer", mltask = "task", mltuning = "tuning", mlrows = "task$rows", mltargets = "task$targets"
)
method_arguments <- list(
  fit.mldiscretizer = list(task = "task"), fit.mlimputer = list(task = "task"), fit.mllearner = list(task = "task"),
  predict.mldiscretizer = list(newdata = "task"), predict.mlimputer = list(newdata = "task"),
  predict.mlmodel = list(newdata = "task"), evaluate.mlprediction = list(truth = "task")
)
# The methods of these classes are tried on a fitted object.
fitted_objects <- c(predict.mldiscretizer = "fit(disc_auto(), task)", predict.mlimputer = "fit(impute_mean(), task)")

# Classes whose objects come from other packages, and generics of R whose arguments R itself checks.
other_classes <- c("TaskClassif", "TaskRegr", "mldr", "default", "dgCMatrix", "step_sift")
other_generics <- c(
  "+", "$<-", "[<-", "[[<-", "names<-", "dplyr_reconstruct", "knit_print", "record_print", "plain_data"
)
# Methods that hand everything to R's own for data frames.
other_methods <- c("rbind.mlselection", "rbind.mlbenchmark")

# Findings that stay, as patterns of "function(argument = value): finding", with the reason.
exceptions <- c(
  # The functions are the user's own, and so are their errors.
  "^((lrn|sel)_custom|sel_importance)\\((fit|predict|fun|importance) = .*\\): using its value",
  # These numbers ask for work without end, or for more rows than the memory holds, and are not wrong in themselves.
  "^(sel_.*|score_test|stop_permutation)\\((evaluations|n) = biggest_int\\): does not end",
  "^simulate_mltask\\(n.* = biggest_int\\): the call: simpleError: (cannot allocate|invalid arguments)",
  # R itself refuses such a path.
  "\\(.* = long\\): the call: simpleError: (temporary name too long|cannot open the connection)",
  # A name that R's own function for data frames takes, too.
  "^as.data.frame.mlscoretable\\(row.names = "
)

examples <- function() {
  set.seed(1)
  x <- matrix(stats::rnorm(240), 40, dimnames = list(NULL, paste0("f", 1:6)))
  y <- matrix(stats::rbinom(120, 1, 0.4), 40, dimnames = list(NULL, paste0("l", 1:3)))
  y[1:3, 1] <- c(0, 1, 0)
  task <- mlsift::mltask(x, y, name = "tiny")
  losses <- matrix(stats::runif(32), 8, dimnames = list(paste0("d", 1:8), c("a", "b", "c", "d")))
  arff <- file.path(getwd(), "in.arff")
  mlsift::write_mulan(task, arff)
  svm <- file.path(getwd(), "in.svm")
  writeLines(c("1,3 1:1 4:1", "2 2:1", "1,2 1:1 3:1"), svm)
  begun <- file.path(getwd(), "begun")
  if (!dir.exists(begun)) {
    mlsift::benchmark_selectors(
      task, mlsift::sel_mim(), mlsift::lrn_brknn(), mlsift::rs_cv(2), k = 1, measures = "hamming_loss",
      folder = begun, progress = FALSE
    )
  }
  categories <- factor(c("u", "v", "w", "u", "v"))
  category_scores <- matrix(1 / 3, 5, 3, dimnames = list(NULL, c("u", "v", "w")))
  selection <- mlsift::sift_features(task, mlsift::sel_mim(), k = 3)
  model <- mlsift::fit(mlsift::lrn_brknn(), task[1:30, ])
  bench <- mlsift::benchmark_selectors(
    list(a = task, b = mlsift::mltask(x[, 6:1], y)), list(mlsift::sel_mim(), mlsift::sel_mfs(), mlsift::sel_random()),
    mlsift::lrn_brknn(), mlsift::rs_cv(3),
    k = 1:3, measures = "hamming_loss", progress = FALSE
  )
  list(
    x = x, y = y, task = task, losses = losses, arff = arff, svm = svm, begun = begun, categories = categories,
    category_scores = category_scores, truth = y[1:5, ], selection = selection, model = model,
    path = mlsift::sift_features(task, mlsift::sel_mrmr(), k = 2), bench = bench,
    sparse = mlsift::simulate_mltask(40, sparse = TRUE, density = 0.3),
    classes = mlsift::simulate_mltask(40, 6, 2, kind = "class"),
    numbers = mlsift::simulate_mltask(40, 6, 2, kind = "numeric"),
    search = mlsift::sift_features(task, mlsift::sel_rga(population = 4, evaluations = 12)),
    reproduced = suppressMessages(mlsift::reproduce(
      "group-jmi", list(image = task), tempfile(), repeats = 1, studies = "jmi", k = 1:2, progress = FALSE
    )),
    prediction = stats::predict(model, task), counts = mlsift::count_tables(task, mlsift::sel_mim()),
    graph = mlsift::label_graph(task), labelscores = mlsift::label_scores(task, mlsift::sel_mim()),
    measure = mlsift::msr_custom("own", function(truth, response) 0), pairtest = mlsift::wilcoxon_test(1:9, 2:10 / 3),
    pairs = mlsift::compare_pairs(losses, direction = "minimize"),
    posterior = mlsift::bayes_correlated_t(losses[, 1], losses[, 2], test_share = 0.2),
    ranktest = mlsift::rank_test(losses, direction = "minimize"), scoretable = mlsift::score_table(bench),
    source = mlsift::chunk_source(
      function(i) if (i == 1) task, mlsift::feature_names(task), mlsift::target_names(task)
    ),
    spread = mlsift::spread_source(list(task, task), workers = "none"),
    answer = mlsift::sift(task, learner = mlsift::lrn_brknn(), selectors = mlsift::sel_mim(), outer = mlsift::rs_cv(2)),
    tuning = mlsift::tune_selection(task, mlsift::sel_mim(), mlsift::lrn_brknn(), "hamming_loss", 1:2, mlsift::rs_cv(2))
  )
}

nonsense <- function(made) {
  list_frame <- data.frame(a = 1:2)
  list_frame$b <- list(1, "x")
  methods::setClass("Nonsense", representation(a = "numeric"), where = globalenv())
  list(
    null = NULL, na = NA, na_real = NA_real_, na_text = NA_character_, nan = NaN, inf = Inf, minus_inf = -Inf,
    minus_one = -1, zero = 0, half = 0.5, one = 1, tiny = 5e-324, ten_billion = 1e10,
    biggest_int = .Machine$integer.max, biggest = .Machine$double.xmax, na_int = NA_integer_, true = TRUE,
    false = FALSE,
    empty_text = "", blank = " ", text = "nonsense", feature = "f1", number_text = "1", braces = "{stop('run')} {.x",
    percent = "%s%n%d", lines = "a\nb", tab = "a\tb", long = strrep("long", 25000), not_utf8 = "\xff\xfe{",
    not_utf8_names = c("a", "\xe9"), accents = "\u00e9\u4e2d", texts = c("a", "b"), texts_na = c("f1", NA),
    minus_zero = -0, past_ints = 2^53, numbers = c(1, 2), numbers_na = c(1, NA), numbers_inf = c(2, Inf),
    numbers_big = c(2, 1e10), falling = 3:1, many = stats::setNames(1:3, c("a", "", NA)),
    no_numbers = numeric(), no_ints = integer(), no_texts = character(), no_flags = logical(), no_list = list(),
    list_null = list(NULL), list_one = list(1), list_named = list(a = 1, b = "x"), deep_list = list(list(list())),
    functions = mean, primitive = sum, bad_function = function(...) stop("own error"),
    null_function = function(...) NULL, quosure = rlang::quo(a + b), formula = a ~ b, one_sided = ~a,
    symbol = quote(zzz), code = quote(f(x)), expressions = expression(a, b), environment = new.env(),
    matrix_0_0 = matrix(0, 0, 0), matrix_0_3 = matrix(0, 0, 3), matrix_3_0 = matrix(0, 3, 0), matrix_1 = matrix(1),
    matrix_na = matrix(NA_real_, 5, 3), matrix_inf = matrix(c(1, Inf, -Inf), 5, 3), matrix_text = matrix("a", 5, 3),
    matrix_list = matrix(list(1), 2, 2), array = array(1, c(2, 2, 2)), sparse_0_0 = made$sparse$x[0, 0],
    frame_0_0 = data.frame(), frame_rows = data.frame(row.names = 1:3), frame = data.frame(a = 1:3, b = letters[1:3]),
    frame_list = list_frame, frame_names = stats::setNames(data.frame(1:2, 3:4), c("a", "a")), task = made$task,
    task_class = made$classes, task_numeric = made$numbers, task_sparse = made$sparse, selection = made$selection,
    bench = made$bench, selector = mlsift::sel_mim(), bare_selector = mlsift::sel_mim, learner = mlsift::lrn_nb(),
    hollow_task = structure(list(), class = "mltask"), hollow_selection = structure(list(), class = "mlselection"),
    hollow_selector = structure(list(), class = "mlselector"), s4 = methods::new("Nonsense", a = 1), date = Sys.Date(),
    time = Sys.time(), difference = Sys.time() - Sys.time(), factor = factor(c("u", "v")),
    integer64 = structure(c(4.9e-324, 9.8e-324), class = "integer64"), complex = 1i, raw = as.raw(1:3),
    pairlist = pairlist(a = 1), connection = stdin(), time_lt = as.POSIXlt("2020-01-01"),
    classed = structure(1, class = "own"), source = made$source, spread = made$spread
  )
}

# What is done with a value that came out of a call.
use_value <- function(value, made) {
  if (inherits(value, "mlselector")) {
    mlsift::sift_features(made$task, value, k = 2)
  } else if (inherits(value, "mllearner")) {
    stats::predict(mlsift::fit(value, made$task), made$task)
  } else if (inherits(value, "mldiscretizer")) {
    mlsift::discretize_features(made$task, value)
  } else if (inherits(value, "mlresampling")) {
    mlsift::split_rows(made$task, value)
  } else if (inherits(value, "mlsource")) {
    for (selector in list(mlsift::sel_mim(), mlsift::sel_jmim())) mlsift::sift_features(value, selector, k = 2)
  } else if (inherits(value, "mltask")) {
    mlsift::sift_features(value, mlsift::sel_mim(), k = 1)
  }
}

# --- the calls --------------------------------------------------------------------------------------------------------

# A list with an entry for each function or method: `fun` (its name in a call), `arguments` (code), `varied` (names).
entries <- function() {
  exported <- sort(getNamespaceExports("mlsift"))
  measures <- mlsift::list_measures()
  functions <- lapply(exported, function(name) {
    formals <- formals(args(getExportedValue("mlsift", name)))
    required <- names(formals)[vapply(formals, function(f) is.symbol(f) && !nzchar(as.character(f)), NA)]
    given <- valid_calls[[name]] %||% list()
    kind <- measures$kinds[paste0("msr_", measures$measure) == name]
    valid <- c(valid_arguments, if (length(kind) == 1) measure_arguments[[kind]])
    given <- c(given, valid[intersect(names(valid), setdiff(required, names(given)))])
    # Searches are made small.
    if (startsWith(name, "sel_") && "evaluations" %in% names(formals)) given$evaluations <- "20"
    # Generics of other packages: the methods are tried below.
    if (environmentName(topenv(environment(getExportedValue("mlsift", name)))) != "mlsift") return(NULL)
    lacking <- setdiff(required, c("...", names(given)))
    if (name == "step_sift") return(NULL) # belongs to the package recipes
    if (length(lacking) > 0) stop(name, " needs a row in valid_calls (tools/nonsense.R): ", toString(lacking))
    list(name = name, fun = name, arguments = given, varied = union(setdiff(names(formals), "..."), names(given)))
  })
  unknown <- setdiff(names(valid_calls), exported)
  if (length(unknown) > 0) stop("valid_calls names what is not exported: ", toString(unknown))
  methods <- getNamespaceInfo("mlsift", "S3methods")
  functions <- c(functions, lapply(seq_len(nrow(methods)), function(i) {
    generic <- sub("^.*::", "", methods[i, 1])
    class <- methods[i, 2]
    if (class %in% other_classes || generic %in% other_generics) return(NULL)
    name <- paste0(generic, ".", class)
    if (name %in% other_methods) return(NULL)
    object <- if (name %in% names(fitted_objects)) fitted_objects[[name]] else class_objects[class]
    if (is.na(object)) stop("The class ", class, " needs an object in class_objects (tools/nonsense.R).")
    formals <- names(formals(get(methods[i, 3], asNamespace("mlsift"))))
    given <- method_arguments[[name]] %||% list()
    if (generic %in% c("cbind", "rbind", "+")) {
      return(list(name = name, fun = generic, arguments = list(object, object), varied = 2L))
    }
    package <- c(toLatex = "utils", predict = "stats", head = "utils")[generic]
    list(
      name = name, fun = if (is.na(package)) generic else paste0(package, "::", generic),
      arguments = c(stats::setNames(list(object), formals[1]), given),
      varied = setdiff(formals, c("...", formals[1]))
    )
  }))
  found <- Filter(Negate(is.null), functions)
  stats::setNames(found, vapply(found, `[[`, "", "name"))
}

# One row for each call: the argument ("" for the valid call) and the name of the value.
calls_of <- function(entry, values) {
  varied <- as.character(entry$varied)
  rbind(data.frame(argument = "", value = ""), expand.grid(
    value = values, argument = varied, stringsAsFactors = FALSE
  )[, c("argument", "value")])
}

# The call of an entry with these arguments, as code.
call_code <- function(entry, arguments = lapply(entry$arguments, str2lang)) {
  as.call(c(str2lang(if (grepl("^[a-zA-Z_.:]+$", entry$fun)) entry$fun else paste0("`", entry$fun, "`")), arguments))
}

run_call <- function(entry, row, values, made) {
  where <- list2env(made, parent = globalenv())
  arguments <- lapply(entry$arguments, str2lang)
  if (nzchar(row$argument)) {
    where$bad <- values[[row$value]]
    at <- if (is.numeric(entry$varied)) as.integer(row$argument) else row$argument
    arguments[[at]] <- quote(bad)
  }
  code <- call_code(entry, arguments)
  set.seed(1)
  step <- "the call"
  foreign <- ""
  quietly <- function(code) withCallingHandlers(suppressMessages(code), warning = function(w) {
    root <- w
    while (!is.null(root$parent)) root <- root$parent
    if (!inherits(root, "mlsift_warning")) foreign <<- paste0(step, ": warning: ", conditionMessage(root))
    invokeRestart("muffleWarning")
  })
  finding <- tryCatch({
    value <- quietly(eval(code, where))
    step <- "printing its value"
    if (!startsWith(entry$name, "print.")) {
      # A function of the user is printed by R.
      if (!is.function(value)) utils::capture.output(quietly(print(value)))
    }
    step <- "using its value"
    quietly(use_value(value, made))
    numbers <- if (is.double(value)) value else if (is.data.frame(value)) unlist(Filter(is.double, as.list(value)))
    if (any(is.nan(numbers)) && !grepl("nan|na", row$value)) "its value holds NaN" else ""
  }, mlsift_error = function(e) {
    # The message is made here, which may fail where it holds odd text.
    text <- tryCatch(conditionMessage(e), error = function(e2) NULL)
    if (is.null(text)) "the message of the error cannot be made" else ""
  }, error = function(e) {
    text <- paste(try(conditionMessage(e), silent = TRUE), collapse = " ")
    # An error of the user's own function reaches the user.
    if (text == "own error") "" else paste0(step, ": ", class(e)[1], ": ", text)
  })
  if (!nzchar(finding)) finding <- foreign
  gsub("[\r\n\t]+", " ", iconv(substr(iconv(finding, sub = "byte"), 1, 160), sub = "byte"))
}

# The child: runs the calls of some functions and writes a line before and after each.
run_child <- function(names, first, log) {
  suppressPackageStartupMessages({
    library(mlsift)
    library(ggplot2)
  })
  options(warn = -1, mlsift.threads = 1)
  grDevices::pdf(NULL)
  folder <- tempfile("nonsense-")
  dir.create(folder)
  setwd(folder)
  made <- suppressMessages(examples())
  values <- nonsense(made)
  all <- entries()[names]
  limit_memory()
  out <- file(log, "a")
  number <- 0L
  for (entry in all) {
    rows <- calls_of(entry, names(values))
    for (i in seq_len(nrow(rows))) {
      number <- number + 1L
      if (number < first) next
      cat("start", number, entry$name, rows$argument[i], rows$value[i], sep = "\t", file = out)
      cat("\n", file = out)
      flush(out)
      before <- sum(proc.time()[1:2])
      finding <- run_call(entry, rows[i, ], values, made)
      seconds <- sum(proc.time()[1:2]) - before
      if (!nzchar(finding) && seconds > 5) finding <- sprintf("took %.1f s", seconds)
      cat("end", number, finding, sep = "\t", file = out)
      cat("\n", file = out)
      flush(out)
    }
  }
  cat("done\n", file = out)
}

limit_memory <- function() {
  if (!nzchar(Sys.which("prlimit"))) return()
  size <- as.numeric(gsub("[^0-9]", "", grep("^VmSize", readLines("/proc/self/status"), value = TRUE))) * 1024
  system2("prlimit", c("--pid", Sys.getpid(), sprintf("--as=%.0f", size + 2^30)))
}

# --- the parent -------------------------------------------------------------------------------------------------------

start_child <- function(script, names, first) {
  log <- tempfile("log-")
  file.create(log)
  output <- tempfile("output-")
  process <- processx::process$new(
    file.path(R.home("bin"), "Rscript"), c(script, "--child", paste(names, collapse = ","), first, log),
    stdout = output, stderr = "2>&1", stdin = NULL
  )
  list(process = process, names = names, log = log, output = output, seen = 0L, since = Sys.time())
}

# The lines of a child so far: data of calls started and findings.
read_log <- function(log) {
  parts <- strsplit(readLines(log, warn = FALSE), "\t", fixed = TRUE)
  kind <- vapply(parts, `[`, "", 1L)
  list(
    starts = parts[kind == "start" & lengths(parts) >= 3L], ends = parts[kind == "end"], done = "done" %in% kind
  )
}

at <- function(parts, i) if (length(parts) < i) "" else parts[i]

# Findings of one group of functions as a data frame, restarting after each crash.
watch <- function(children, script, wall = 20) {
  found <- list()
  calls <- 0L
  add <- function(start, text) {
    found[[length(found) + 1L]] <<- data.frame(
      fun = at(start, 3L), argument = at(start, 4L), value = at(start, 5L), finding = text
    )
  }
  waiting <- children
  running <- list()
  while (length(waiting) + length(running) > 0) {
    while (length(running) < 2L && length(waiting) > 0) {
      running <- c(running, list(start_child(script, waiting[[1]], 1L)))
      waiting <- waiting[-1]
    }
    Sys.sleep(0.2)
    for (i in rev(seq_along(running))) {
      child <- running[[i]]
      size <- file.size(child$log)
      if (size != child$seen) {
        running[[i]]$seen <- size
        running[[i]]$since <- Sys.time()
      }
      stuck <- as.numeric(Sys.time() - running[[i]]$since, units = "secs") > wall + if (size == 0) 60 else 0
      if (child$process$is_alive() && !stuck) next
      if (stuck) child$process$kill()
      child$process$wait()
      log <- read_log(child$log)
      key <- vapply(log$starts, `[`, "", 2L)
      for (end in log$ends) if (nzchar(at(end, 3L))) add(log$starts[[match(end[2], key)]], end[3])
      calls <- calls + length(log$starts)
      running[[i]] <- NULL
      if (log$done) next
      if (length(log$starts) == 0) stop(paste(readLines(child$output), collapse = "\n"))
      last <- log$starts[[length(log$starts)]]
      add(last, if (stuck) "does not end" else paste("ends the process:", utils::tail(readLines(child$output), 1L)))
      running <- c(running, list(start_child(script, child$names, as.integer(last[2]) + 1L)))
    }
  }
  list(found = do.call(rbind, found), calls = calls)
}

if (sys.nframe() == 0L) {
  `%||%` <- function(a, b) if (is.null(a)) b else a
  script <- normalizePath(gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]),
    fixed = TRUE))
  asked <- commandArgs(TRUE)
  if (length(asked) == 4 && asked[1] == "--child") {
    run_child(strsplit(asked[2], ",", fixed = TRUE)[[1]], as.integer(asked[3]), asked[4])
    quit(status = 0L)
  }
  all <- names(entries())
  if (length(unknown <- setdiff(asked, all)) > 0) stop("There is no ", unknown[1], ".", call. = FALSE)
  chosen <- if (length(asked) > 0) asked else all
  groups <- unname(split(chosen, ceiling(seq_along(chosen) / 8)))
  result <- watch(groups, script)
  found <- result$found
  if (!is.null(found)) {
    text <- sprintf("%s(%s = %s): %s", found$fun, found$argument, found$value, found$finding)
    found <- found[!grepl(paste(exceptions, collapse = "|"), text), ]
  }
  if (NROW(found) > 0) {
    # Values with the same ending share a line.
    ending <- paste(found$fun, found$argument, found$finding, sep = "\r")
    for (one in split(found, factor(ending, unique(ending)))) {
      cat(sprintf("%s(%s = %s): %s\n", one$fun[1], one$argument[1], toString(one$value), one$finding[1]))
    }
  }
  cat(sprintf(
    "Nonsense: %d functions and methods, %d calls, %d findings.\n", length(chosen), result$calls, NROW(found)
  ))
  quit(status = as.integer(NROW(found) > 0))
}
