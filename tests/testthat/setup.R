# Pictures of tests are drawn, not kept: without this, R writes them to Rplots.pdf in the folder it was started in.
withr::local_options(device = function(...) grDevices::pdf(NULL), .local_envir = testthat::teardown_env())
