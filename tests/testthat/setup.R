# Pictures of tests are drawn, not kept: without this, R writes them to Rplots.pdf in the folder it was started in.
withr::local_options(device = function(...) grDevices::pdf(NULL), .local_envir = testthat::teardown_env())

# cli looks for each piece of markup through all selectors of its theme, which is most of the time that an error takes.
# Those of the markup in messages of this package give the same words ("fun" is how cli writes "help"). An app of cli
# that looks otherwise stays as it is.
local({
  app <- cli::start_app(.envir = testthat::teardown_env())
  used <- c("arg", "cls", "code", "field", "file", "fn", "fun", "help", "or", "pkg", "run", "val")
  selectors <- app$themes[[1L]]$selector
  kept <- selectors %in% c("body", ".code", paste0("span.", used)) | startsWith(as.character(selectors), ".bullets")
  if (sum(kept) > length(used)) app$themes[[1L]] <- app$themes[[1L]][kept, ]
})

# Errors of this package are told without the calls that led to them, which take longer to collect than most of what is
# refused here. R's own errors and testthat's failures keep theirs.
withr::local_options("rlang:::disable_trace_capture" = TRUE, .local_envir = testthat::teardown_env())
