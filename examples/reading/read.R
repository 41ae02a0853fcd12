# Read a run folder with R: estimates with their intervals, drawn as dots and whiskers.
#
#     Rscript examples/reading/read.R results/klondike-strategies score

arguments <- commandArgs(trailingOnly = TRUE)
summary <- read.csv(file.path(arguments[1], "summary.csv"))
rows <- summary[summary$metric == arguments[2], ]
print(rows[, c("cell", "n", "n_unresolved", "mean", "ci_lo", "ci_hi", "ci_level", "ci_method")])

pdf("estimates.pdf", width = 7, height = 1 + 0.4 * nrow(rows))
par(mar = c(4, 12, 1, 1))
places <- rev(seq_len(nrow(rows)))
plot(rows$mean, places, xlim = range(rows$ci_lo, rows$ci_hi, rows$mean, na.rm = TRUE), pch = 19, yaxt = "n", ylab = "",
     xlab = paste(arguments[2], rows$unit[1]))
segments(rows$ci_lo, places, rows$ci_hi, places)
axis(2, at = places, labels = rows$cell, las = 1)
invisible(dev.off())
