# Orders and scores of greedy selection that other people's programs gave for two public data sets, on the same
# discretized features. Each path is the order, then the scores of the first six steps and the last. Scores are in bits
# unless said.

expect_path <- function(task, selector, discretizer, index, score) {
  sel <- sift_features(task, selector, k = length(index), discretizer = discretizer)
  expect_equal(sel$index, index)
  expect_lt(max(abs(sel$score[unique(c(seq_len(min(6, nrow(sel))), nrow(sel)))] - score)), 1e-10)
}

# By how much each pick is ahead of the next best.
expect_leads <- function(task, selector, discretizer, index, lead) {
  sel <- sift_features(task, selector, k = length(index), discretizer = discretizer)
  expect_equal(sel$index, index)
  leads <- sel$score - sel$runner_up_score
  expect_lt(max(abs(leads[c(1:6, length(index))] - lead), na.rm = TRUE), 1e-9)
}

test_that("AMI: CAU-AIR-Lab/MLFS2012 ami.m, with the redundancy charged to the candidate", {
  expect_path(emotions(), sel_ami(), disc_equal_width(5),
    c(5, 40, 47, 1, 35, 69, 58, 51, 15, 12, 8, 14, 66, 34, 16, 52, 7, 19, 54, 11),
    c(
      0.818794910320822, 0.387481888827311, 0.239466150091555, 0.0835203389310486, 0.00376566849663273,
      -0.0255399783978261, -0.527252303497224
  ))
  expect_path(flags(), sel_ami(), disc_equal_frequency(3),
    c(9, 6, 13, 18, 16, 7, 15, 19, 10, 17, 4, 12, 2, 11, 3, 14, 8, 1, 5),
    c(
      1.05851143740912, 0.258678099779743, 0.00473957108757395, -0.01479981856805, -0.0746969940112194,
      -0.100488753973362, -4.67922505160849
  ))
})

test_that("PMU: CAU-AIR-Lab/PMU pmu.m", {
  expect_path(emotions(), sel_pmu(), disc_equal_width(5),
    c(4, 23, 55, 18, 29, 6, 31, 56, 26, 22, 57, 8, 25, 17, 13, 16, 10, 30, 49, 72),
    c(
      0.368054058367252, 0.443600464523345, 0.541797416789477, 0.749255240478956, 0.862269290649466,
      0.984012083215549, 2.23999291119072
  ))
  expect_path(flags(), sel_pmu(), disc_equal_frequency(3),
    c(9, 6, 5, 1, 8, 14, 3, 2, 4, 7, 17, 10, 16, 18, 11, 19, 13, 12, 15),
    c(
      1.8390397268015, 1.87107962364628, 2.11836631972449, 2.39716909752318, 2.98955302836021,
      2.80902767408313, 0.872929677612258
  ))
})

test_that("D2F: CAU-AIR-Lab/D2F d2f.m, with each selected feature subtracted once and the terms it drops", {
  expect_path(emotions(), sel_d2f(), disc_equal_width(5),
    c(5, 58, 24, 56, 18, 26, 6, 29, 8, 22, 31, 55, 23, 61, 34, 13, 10, 57, 16, 27),
    c(
      0.818794910320825, 0.382163931182143, 0.488248775440582, 0.587850905205073, 0.735261297098305,
      0.902549822423147, 2.2408206144805
  ))
  expect_path(flags(), sel_d2f(), disc_equal_frequency(3),
    c(9, 6, 5, 8, 1, 14, 3, 2, 4, 7, 17, 10, 16, 18, 11, 13, 19, 15, 12),
    c(
      1.05851143740912, 1.03850571837474, 1.40035224136945, 1.96023528138856, 2.50515844847156,
      2.43088237181134, 0.761854012584706
  ))
})

test_that(paste0("the 2015 program of D2F: CAU-AIR-Lab/D2F d2f.m, which leaves out what candidates have in common: ",
  "the lead over the next best"), {
  expect_leads(emotions(), sel_d2f("code2015"), disc_equal_width(5),
    c(5, 58, 26, 6, 29, 8, 13, 22, 10, 16, 56, 18, 31, 24, 55, 9, 23, 14, 34, 57),
    c(
      0.143382011612503, 0.0207515990860401, 0.0163282186439062, 0.0732296170702824, 0.0701067178164436,
      0.0157829831296397, 0.0721202084171182
  ))
  expect_leads(flags(), sel_d2f("code2015"), disc_equal_frequency(3),
    c(9, 6, 5, 8, 1, 14, 3, 4, 2, 7, 10, 17, 16, 11, 18, 19, 13, 15, 12),
    c(
      0.509810151266414, 0.0306413196780255, 0.100180960543376, 0.143146604271408, 1.01241321571021,
      1.46532196903959, NA
  ))
})

test_that("SCLS: Sadegh28/PyIT-MLFS scls.py", {
  expect_path(emotions(), sel_scls(), disc_equal_width(3, "right"),
    c(5, 4, 58, 1, 18, 40, 53, 49, 72, 61, 39, 27, 54, 9, 31, 50, 66, 14, 6, 15),
    c(
      0.648175423060076, 0.44930086472705, 0.35102681958562, 0.285854591397846, 0.235891612176394,
      0.21951209736998, 0.0385258138443426
  ))
  expect_path(flags(), sel_scls(), disc_equal_frequency(3),
    c(9, 5, 14, 8, 1, 17, 3, 16, 7, 10, 4, 15, 19, 11, 2, 18, 13, 12, 6),
    c(
      1.05851143740912, 0.480280371230703, 0.298950763050359, 0.218636784840072, 0.132401472216346,
      0.118703960586837, -0.446518448439088
  ))
})

test_that("D2F: Sadegh28/PyIT-MLFS d2f.py", {
  expect_path(emotions(), sel_d2f(), disc_equal_width(3, "right"),
    c(5, 58, 26, 4, 29, 18, 49, 6, 30, 25, 32, 56, 23, 31, 55, 22, 34, 61, 28, 57),
    c(
      0.648175423060076, 0.310534925640262, 0.280253850454856, 0.271977530515404, 0.308149962953591,
      0.373632496034255, 0.805111764008925
  ))
  expect_path(flags(), sel_d2f(), disc_equal_frequency(3),
    c(9, 6, 5, 8, 1, 14, 3, 2, 4, 7, 17, 10, 16, 18, 11, 13, 19, 15, 12),
    c(
      1.05851143740912, 1.03850571837473, 1.40035224136947, 1.96023528138856, 2.50515844847156,
      2.43088237181125, 0.7618540125847
  ))
})

test_that("LRFS: Sadegh28/PyIT-MLFS lrfs.py", {
  expect_path(emotions(), sel_lrfs(), disc_equal_width(3, "right"),
    c(5, 4, 58, 1, 18, 53, 2, 40, 41, 17, 61, 27, 72, 49, 31, 37, 39, 57, 23, 71),
    c(
      2.33872437589208, 1.82634227289178, 1.3802485398002, 1.37714315836179, 1.321978917273, 1.23378471843447,
      0.69419622470048
  ))
  expect_path(flags(), sel_lrfs(), disc_equal_frequency(3),
    c(9, 6, 5, 1, 14, 8, 18, 17, 7, 13, 11, 2, 19, 12, 3, 10, 4, 16, 15),
    c(
      7.91212520323949, 4.53296967272407, 3.98340749263042, 3.06112830253164, 2.96985459210895,
      2.64806099949534, 0.464137178512828
  ))
})

test_that("LSMFS: Sadegh28/PyIT-MLFS lsmfs.py", {
  expect_path(emotions(), sel_lsmfs(), disc_equal_width(3, "right"),
    c(5, 4, 58, 1, 40, 2, 53, 47, 49, 9, 71, 35, 48, 51, 39, 14, 69, 15, 19, 60),
    c(
      1.69950997464925, 1.04943142691912, 0.815111519005019, 0.642013972170305, 0.501155092692092,
      0.420095119772647, -0.117511706523481
  ))
  expect_path(flags(), sel_lsmfs(), disc_equal_frequency(3),
    c(9, 1, 13, 18, 16, 15, 17, 7, 19, 10, 11, 4, 12, 8, 3, 14, 2, 6, 5),
    c(
      1.19886054410345, 0.297470460720661, 0.140759659037011, 0.11819168330856, -0.0603229853930842,
      -0.0613999058783028, -4.67922505160849
  ))
})

test_that("MLSMFS: Sadegh28/PyIT-MLFS mlsmfs.py", {
  expect_path(emotions(), sel_mlsmfs(), disc_equal_width(3, "right"),
    c(5, 4, 58, 18, 53, 1, 39, 48, 35, 9, 51, 69, 14, 11, 31, 15, 33, 8, 19, 16),
    c(
      0.848773718710154, 0.524172815583699, 0.42215546918001, 0.227985294899832, 0.150674037840306,
      0.114742821418808, -0.155287638498802
  ))
  expect_path(flags(), sel_mlsmfs(), disc_equal_frequency(3),
    c(9, 1, 18, 13, 17, 16, 15, 7, 19, 10, 4, 12, 11, 8, 3, 14, 2, 6, 5),
    c(
      1.47436684076187, 0.494365074708334, 0.175583395948832, 0.127325492993532, 0.0135560345088533,
      -0.00287062369127034, -4.47118023236057
  ))
})

test_that("PMU with all ordered label pairs, equal ones too, so that relevance cancels: Sadegh28/PyIT-MLFS pmu.py", {
  expect_path(emotions(), sel_greedy(relevance = 0, label_interaction = 2, conditional = 1),
    disc_equal_width(3, "right"),
    c(25, 30, 56, 23, 32, 29, 6, 22, 55, 31, 18, 34, 49, 24, 61, 28, 26, 59, 10, 16),
    c(
      0.251303701443227, 0.253034940581659, 0.303113563779383, 0.413914791567531, 0.369290054051676,
      0.388668439763161, 0.735966464056938
  ))
  expect_path(flags(), sel_greedy(relevance = 0, label_interaction = 2, conditional = 1), disc_equal_frequency(3),
    c(6, 9, 5, 1, 8, 14, 3, 2, 7, 4, 17, 10, 16, 11, 18, 19, 13, 12, 15),
    c(
      1.66514781054309, 2.07773354467926, 2.28767911193682, 2.45738740792772, 3.03964231215717,
      2.77121338925017, 0.916422969612789
  ))
})

test_that("MDMR: its equation in numpy, since mdmr.py of Sadegh28/PyIT-MLFS is D2F", {
  expect_path(emotions(), sel_mdmr(), disc_equal_width(3, "right"),
    c(5, 58, 4, 1, 18, 53, 40, 2, 49, 41, 72, 39, 61, 17, 37, 54, 27, 57, 71, 47),
    c(
      0.648175423060076, 0.644586494973415, 0.779791336837721, 0.542518113191277, 0.514318669735372,
      0.490115685147236, 0.282654852781312
  ))
  expect_path(flags(), sel_mdmr(), disc_equal_frequency(3),
    c(9, 6, 14, 5, 8, 1, 18, 17, 7, 13, 3, 11, 2, 19, 10, 4, 16, 12, 15),
    c(
      1.05851143740912, 1.29718381815448, 0.949682841237449, 0.965040281652483, 0.923737057074682,
      0.86103206659567, 0.113300767393793
  ))
})

test_that(paste0("Single-JMI and Joint-JMI: sechidis/2019-Entropy-Multi-target-feature-selection Group_JMI_Rand.m ",
  "(nats), plain and normalized"), {
  expect_path(emotions(), sel_single_jmi(base = exp(1)), disc_equal_width(5),
    c(5, 58, 4, 2, 40, 1, 47, 18, 59, 61, 27, 42, 17, 53, 62, 45, 41, 37, 60, 24),
    c(
      0.567545383545714, 0.832441234956323, 1.56268333999208, 2.19692844716682, 2.80861571234875,
      3.51030933906321, 10.237081413347
  ))
  expect_path(flags(), sel_single_jmi(base = exp(1)), disc_equal_frequency(3),
    c(9, 6, 5, 1, 8, 14, 3, 2, 18, 7, 4, 17, 13, 11, 10, 19, 16, 12, 15),
    c(
      0.733704218430587, 1.45354152911742, 2.44638930430286, 3.41625568558057, 4.31686792765033,
      4.87614000097333, 4.82858917220338
  ))
  expect_path(emotions(), sel_single_jmi("sqrt"), disc_equal_width(5),
    c(5, 47, 4, 2, 40, 1, 58, 3, 42, 62, 45, 59, 17, 60, 53, 36, 41, 37, 61, 18),
    c(
      0.644297497317024, 0.722893883393012, 1.26924653903222, 1.87408577184361, 2.44135438148917,
      3.01139746025412, 9.18363516180163
  ))
  expect_path(flags(), sel_single_jmi("sqrt"), disc_equal_frequency(3),
    c(9, 6, 5, 1, 8, 14, 18, 7, 17, 13, 11, 2, 19, 12, 10, 16, 3, 4, 15),
    c(
      0.768989578762269, 1.06857712514448, 1.78214802096328, 2.537453707186, 3.26812193919706,
      3.79984727750946, 5.72419021886732
  ))
  expect_path(emotions(), sel_joint_jmi(base = exp(1)), disc_equal_width(5),
    c(4, 18, 57, 5, 26, 61, 1, 58, 27, 40, 2, 23, 29, 17, 47, 53, 41, 72, 25, 59),
    c(
      0.337672459224418, 0.670826431078061, 1.21270279497786, 1.80191516123988, 2.304589272685,
      2.82759552383299, 9.08848492650849
  ))
  expect_path(flags(), sel_joint_jmi(base = exp(1)), disc_equal_frequency(3),
    c(9, 6, 5, 8, 1, 14, 3, 2, 4, 7, 17, 18, 10, 16, 11, 13, 19, 12, 15),
    c(
      1.41844790694108, 2.1349197735584, 3.7747525300475, 5.28442740940359, 6.88375943455923,
      7.67492099307466, 10.1891966523291
  ))
  expect_path(emotions(), sel_joint_jmi("sqrt"), disc_equal_width(5),
    c(5, 4, 27, 18, 61, 1, 40, 2, 47, 29, 58, 17, 41, 26, 36, 42, 23, 59, 53, 60),
    c(
      0.180147976330411, 0.246865605062358, 0.480684101834798, 0.694392648433893, 0.911684193023819,
      1.10882573946876, 3.66325195404729
  ))
  expect_path(flags(), sel_joint_jmi("sqrt"), disc_equal_frequency(3),
    c(9, 6, 5, 8, 1, 14, 2, 3, 4, 18, 17, 7, 16, 10, 19, 11, 13, 12, 15),
    c(
      0.609638344916031, 0.645410866598382, 1.13836102359373, 1.66059393078657, 2.13913145363051,
      2.46344174654865, 4.92106829713708
  ))
})

test_that("Group-JMI: the same program, given the groups", {
  # The group of each label set in each of the six targets, as a letter.
  ids <- c(
    "000001" = "efdbeb", "000010" = "baceaa", "000011" = "badbca", "000100" = "baaeaa", "000110" = "baaeaa",
    "000111" = "baebaa",
    "001000" = "faccdc", "001001" = "ffddeb", "001010" = "aaccaa", "001011" = "aaddca", "001100" = "aaacac",
    "001101" = "afedeb",
    "001110" = "aaacaa", "010000" = "eebabc", "010001" = "eebabb", "010010" = "bababa", "010100" = "beaabc",
    "011000" = "febabc",
    "011100" = "aeaabc", "100000" = "cccbda", "100001" = "cddbeb", "100010" = "cacbaa", "100011" = "cddbca",
    "101000" = "dcccdc",
    "110000" = "cbbfbc", "110001" = "cbbbbb", "111000" = "dbbgbc"
  )
  task <- emotions()
  sets <- ids[apply(targets(task), 1, paste, collapse = "")]
  groups <- matrix(match(unlist(strsplit(sets, "")), letters), ncol = 6, byrow = TRUE)
  expect_path(task, sel_group_jmi(groups = groups, base = exp(1)), disc_equal_width(5),
    c(5, 47, 4, 1, 58, 2, 18, 40, 61, 24, 41, 27, 17, 45, 42, 36, 53, 23, 62, 60),
    c(
      1.22181496309532, 1.88775649752103, 3.34047804829208, 4.94417056917588, 6.54620084806062,
      8.07740207000291, 24.0318747629469
  ))
  expect_path(task, sel_group_jmi(groups = groups, normalize = "sqrt"), disc_equal_width(5),
    c(5, 47, 2, 4, 3, 1, 40, 58, 45, 36, 42, 18, 61, 60, 17, 41, 27, 46, 62, 53),
    c(
      0.896597251741446, 1.0790310287955, 1.86758031227617, 2.75934164620617, 3.54065364070498,
      4.41188062485778, 13.7403651875834
  ))
})

test_that("JMI, mRMR and MIM with one label: Craigacp/FEAST JMI.c, mRMR_D.c, MIM.c", {
  expect_path(subset_targets(emotions(), 1), sel_single_jmi(), disc_equal_width(5),
    c(40, 4, 59, 72, 54, 1, 58, 56, 5, 61, 55, 2, 42, 39, 50, 41, 57, 27, 62, 38),
    c(
      0.133923025173435, 0.221269766426309, 0.422358356382764, 0.578575266173178, 0.721772251218387,
      0.881480145404489, 2.68867250519089
  ))
  expect_path(subset_targets(emotions(), 1), sel_greedy(redundancy = 1, average = TRUE), disc_equal_width(5),
    c(40, 1, 35, 59, 4, 54, 72, 15, 50, 42, 55, 68, 51, 47, 28, 7, 5, 56, 8, 38),
    c(
      0.133923025173435, 0.0185927361794825, 0.00252178171536775, 0.02083223294692, 0.0144395816798556,
      0.00119531206172431, -0.012288357962586
  ))
  expect_path(subset_targets(emotions(), 1), sel_mim(), disc_equal_width(5),
    c(40, 4, 59, 58, 42, 56, 61, 5, 41, 55, 39, 57, 54, 1, 2, 72, 62, 38, 50, 47),
    c(
      0.133923025173435, 0.123369726473429, 0.119268768236731, 0.109763751128454, 0.100103213232877,
      0.0970666218864857, 0.0674143320389204
  ))
  expect_path(subset_targets(emotions(), 6), sel_single_jmi(), disc_equal_width(5),
    c(5, 47, 60, 2, 24, 4, 45, 58, 18, 62, 61, 27, 46, 36, 42, 64, 17, 37, 3, 63),
    c(
      0.183304278335878, 0.267470915591717, 0.473154109555713, 0.716468650465294, 0.909394349993303,
      1.11753558901374, 3.14186668157399
  ))
  expect_path(subset_targets(emotions(), 6), sel_greedy(redundancy = 1, average = TRUE), disc_equal_width(5),
    c(5, 60, 24, 47, 51, 36, 12, 2, 42, 69, 64, 38, 8, 46, 35, 4, 27, 7, 45, 33),
    c(
      0.183304278335878, 0.0326076410171145, 0.00564599327914317, 0.00418572025510583, -0.00669904170114507,
      0.00496334797190061, -0.0110431301682184
  ))
  expect_path(subset_targets(emotions(), 6), sel_mim(), disc_equal_width(5),
    c(5, 47, 2, 45, 4, 46, 60, 62, 61, 42, 36, 64, 37, 18, 63, 58, 43, 41, 48, 17),
    c(
      0.183304278335878, 0.167779740424477, 0.149691449517669, 0.140134772850203, 0.138000036610056,
      0.127131380288152, 0.0769059518594144
  ))
})

test_that("JMI, MRMR, MIM and the first two steps of CMI with one label: praznik 11.0.0 (nats)", {
  expect_path(subset_targets(emotions(), 3), sel_single_jmi(base = exp(1)), disc_equal_width(5),
    c(4, 59, 5, 60, 42, 1, 62, 41, 2, 40, 58, 61, 47, 38, 45),
    c(
      0.116871668213673, 0.179745719335062, 0.337719829787219, 0.464312101830795, 0.585251118935095,
      0.721384865685356, 1.6467046720307
  ))
  expect_path(subset_targets(emotions(), 3), sel_greedy(redundancy = 1, average = TRUE, base = exp(1)),
    disc_equal_width(5),
    c(4, 71, 60, 35, 42, 1, 59, 11, 5, 66, 38, 32, 41, 51, 62),
    c(
      0.116871668213673, 0.0202267476704834, 0.0187373943546621, -0.0030262625007298, 0.0144689782852698,
      0.0107264205680671, -0.00428073031019445
  ))
  expect_path(subset_targets(emotions(), 3), sel_mim(base = exp(1)), disc_equal_width(5),
    c(4, 5, 60, 42, 59, 2, 40, 62, 41, 61, 58, 47, 1, 45, 38),
    c(
      0.116871668213673, 0.0975467848927038, 0.0930142683053634, 0.0866470783413132, 0.0815528814283129,
      0.0748765878594057, 0.0547371356161574
  ))
  expect_path(subset_targets(emotions(), 3), sel_d2f(base = exp(1)), disc_equal_width(5),
    c(4, 59),
    c(0.116871668213673, 0.0628740511213891))
  expect_path(subset_targets(flags(), 3), sel_single_jmi(base = exp(1)), disc_equal_frequency(3),
    c(5, 9, 6, 14, 1, 8, 13, 4, 2, 7, 11, 3, 12, 10, 17),
    c(
      0.109729045219361, 0.2254529589498, 0.432551575544948, 0.592763138979207, 0.739796433679525,
      0.864207206187317, 1.00354088111469
  ))
  expect_path(subset_targets(flags(), 3), sel_greedy(redundancy = 1, average = TRUE, base = exp(1)),
    disc_equal_frequency(3),
    c(5, 19, 13, 15, 10, 11, 9, 7, 3, 16, 12, 17, 2, 8, 18),
    c(
      0.109729045219361, -0.0225599446969515, 0.0132615559484852, -0.00812584653769435, -0.010028972737737,
      -0.00187329154792846, -0.0402700182040776
  ))
  expect_path(subset_targets(flags(), 3), sel_mim(base = exp(1)), disc_equal_frequency(3),
    c(5, 6, 9, 1, 13, 11, 14, 2, 8, 12, 7, 3, 4, 10, 17),
    c(
      0.109729045219361, 0.106152370462676, 0.0911009191509116, 0.0845220536855516, 0.0617396471001225,
      0.0430749911807872, 0.00707768282219058
  ))
  expect_path(subset_targets(flags(), 3), sel_d2f(base = exp(1)), disc_equal_frequency(3),
    c(5, 9),
    c(0.109729045219361, 0.115723913730439))
})

test_that("FIMF: CAU-AIR-Lab/FIMF fimf.m and the terms it drops, which are the same for all features", {
  task <- emotions()
  halves <- disc_equal_frequency(2)
  expect_scores(task, sel_fimf(1), c(5, 2, 47, 18, 22, 14),
    c(
      0.646977113787755, 0.621940863364979, 0.558982809428927, 0.335777150014589, 0.0677288310911992,
      0.00279734817439437
  ), discretizer = halves)
  expect_scores(task, sel_fimf(2), c(5, 2, 47, 60, 23, 14),
    c(
      0.554885022753675, 0.539417595044082, 0.458172196524184, 0.289641444404767, 0.0736896846405077,
      0.00290635026839858
  ), discretizer = halves)
  expect_scores(task, sel_fimf(3), c(5, 2, 47, 65, 27, 14),
    c(
      0.461472564744239, 0.451967831836537, 0.358219301080779, 0.235200313279553, 0.0704937641992096,
      0.00323111261266718
  ), discretizer = halves)
  expect_scores(task, sel_fimf(5), c(5, 2, 47, 52, 24, 14),
    c(
      0.460134217150499, 0.447322114903796, 0.37737853305094, 0.234874510665416, 0.0889104312701789,
      0.0181427343251102
  ), discretizer = halves)
  expect_scores(task, sel_fimf(6), c(47, 3, 18, 22, 39, 14),
    c(
      0.242539190976091, 0.226889342257833, 0.215759324333807, 0.156648228196396, 0.0798397685723029,
      0.0230582903091441
  ), discretizer = halves)
  few <- scores_of(task, sel_fimf(3, n_features = 36), discretizer = halves)
  expect_identical(which(is.infinite(few)), 37:72)
  expect_identical(few[is.finite(few)], scores_of(task, sel_fimf(3), discretizer = halves)[is.finite(few)])
})
