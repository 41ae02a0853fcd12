//! What the columns of the tables mean, and which of them identify a row.

/// The columns that identify a row of a table; empty where none do.
pub(super) fn primary_key(table: &str) -> &'static [&'static str] {
    match table {
        "metrics" => &["metric"],
        "summary" | "truths" | "variance" | "elo" | "weights" => &["cell", "metric"],
        "histograms" => &["cell", "metric", "value"],
        "purses" => &["cell", "metric", "games"],
        "convergence" => &["metric", "samples"],
        "claims" => &["claim", "cell"],
        "pairs" => &["first", "second", "metric"],
        "ratings" => &["group", "side", "player"],
        "samples" => &["sample", "cell"],
        "cumulative" => &["cell", "metric", "value"],
        "ratios" => &["first", "second", "metric"],
        "points" => &["sample", "cell", "metric"],
        _ => &[],
    }
}

/// Columns of one table that refer to the same columns of another: `(columns, table)`.
pub(super) fn foreign_keys(table: &str) -> &'static [(&'static [&'static str], &'static str)] {
    match table {
        "summary" | "claims" | "pairs" | "convergence" | "ratios" => &[(&["metric"], "metrics")],
        "histograms" | "truths" | "variance" | "elo" | "weights" | "purses" | "cumulative"
        | "points" => &[(&["cell", "metric"], "summary")],
        _ => &[],
    }
}

/// One sentence about the column of a table; empty where nothing is known of it.
pub(super) fn description(table: &str, column: &str) -> &'static str {
    let own = match table {
        "claims" => of_claims(column),
        "histograms" => of_histograms(column),
        "variance" => of_variance(column),
        "weights" => of_weights(column),
        "purses" => of_purses(column),
        "cumulative" | "ratios" | "points" => of_work(column),
        _ => None,
    };
    own.or_else(|| of_estimates(column))
        .or_else(|| of_names(column))
        .or_else(|| of_matches(column))
        .unwrap_or_default()
}

fn of_claims(column: &str) -> Option<&'static str> {
    Some(match column {
        "claim" => "Number of the claim in the experiment file, from 1.",
        "source" => "Who makes the claim.",
        "text" => "The claim as a sentence.",
        "holds" => "The relation that is true where the claim is, as the experiment file has it.",
        "cell" => "The cell that was tested, or `first - second` for a difference.",
        "statistic" => "The statistic of the metric that the claim is about.",
        "relation" => "How the statistic is compared with the threshold: <, <=, > or >=.",
        "threshold" => "The number that the statistic is compared with, in the metric's unit.",
        "estimate" => "The statistic in the samples.",
        "lo" => "The statistic is at least this, at the level ci_level.",
        "hi" => "The statistic is at most this, at the level ci_level.",
        "verdict" => "supported, refuted or undecided.",
        "note" => "What to know about the verdict.",
        _ => return None,
    })
}

fn of_histograms(column: &str) -> Option<&'static str> {
    Some(match column {
        "value" => "A value of the metric, in its unit.",
        "count" => "Resolved samples with this value.",
        "unresolved_from" => "Unresolved samples whose least possible value this is.",
        "unresolved_to" => "Unresolved samples whose greatest possible value this is.",
        _ => return None,
    })
}

fn of_variance(column: &str) -> Option<&'static str> {
    Some(match column {
        "strata" => "Strata that the samples were drawn from.",
        "plain_mean" => "The mean without variance reduction.",
        "plain_mcse" => "Its standard error.",
        "mean" => "The mean with variance reduction.",
        "coefficients" => "Coefficients of the control variates, by name.",
        _ => return None,
    })
}

fn of_weights(column: &str) -> Option<&'static str> {
    Some(match column {
        "effective_n" => "Kish's effective sample size of the weights.",
        "largest_share" => "Share of the largest weight in the sum of the weights.",
        "spread_share" => "Share of the largest weight in the sum of squared deviations.",
        "trusted" => "Whether the weights are even enough for an interval.",
        "log10_mean" => "Decimal logarithm of the mean weight.",
        "at_least" => "The true value is greater than this, however uneven the weights are.",
        "at_least_level" => "Probability that the true value is greater than at_least.",
        _ => return None,
    })
}

fn of_purses(column: &str) -> Option<&'static str> {
    Some(match column {
        "games" => "Independent games in a row.",
        "cost" => "What they cost, in the metric's unit.",
        "ahead" => "Probability to be paid more than the games cost.",
        "ahead_lo" => "Lower end of its interval (delta method on log-odds).",
        "ahead_hi" => "Upper end of its interval.",
        "even" => "Probability to be paid exactly what the games cost.",
        "q05" => "Gain that 5 % of players have at most; losses are negative.",
        "q25" => "Gain that 25 % of players have at most.",
        "q50" => "Gain that half of the players have at most.",
        "q75" => "Gain that 75 % of players have at most.",
        "q95" => "Gain that 95 % of players have at most.",
        "q50_lo" => "Lower end of the interval of q50 (Woodruff).",
        "q50_hi" => "Upper end of the interval of q50.",
        _ => return None,
    })
}

fn of_work(column: &str) -> Option<&'static str> {
    Some(match column {
        "value" => "What it took, in the metric's unit.",
        "solved" => {
            "cumulative: instances solved with at most this value. points: whether all metrics of \
             the sample are known, none left open by the budget."
        }
        "n" => "cumulative: all instances. ratios: instances that both cells solved.",
        "left_out" => "Instances that a cell did not solve, or solved with a value of 0.",
        "ratio" => "Geometric mean of first / second over the instances that both cells solved.",
        "first" => "The cell whose value is divided.",
        "second" => "The cell whose value is divided by.",
        "less" => "Instances on which the first cell has the smaller value.",
        "equal" => "Instances on which both cells have the same value.",
        "more" => "Instances on which the first cell has the greater value.",
        _ => return None,
    })
}

fn of_estimates(column: &str) -> Option<&'static str> {
    Some(match column {
        "n" => "Sample size: samples that count for the estimate.",
        "n_unresolved" => "Samples whose value is only bounded, because their budget ran out.",
        "mean" => "The estimate; empty while unresolved samples leave it open.",
        "mean_lo" => "The estimate with every unresolved sample at its least.",
        "mean_hi" => "The estimate with every unresolved sample at its greatest.",
        "sd" => "Standard deviation of a sample.",
        "mcse" => "Monte Carlo standard error of the estimate.",
        "ci_lo" => "Lower end of the confidence interval.",
        "ci_hi" => "Upper end of the confidence interval.",
        "ci_level" => "Confidence level of the interval.",
        "ci_method" => "Method of the interval.",
        "valid_under" => "Sampling scheme under which the interval has its level.",
        "cs_lo" => "Lower end of the confidence sequence, valid at all rows at once.",
        "cs_hi" => "Upper end of the confidence sequence, valid at all rows at once.",
        "cs_method" => "Method of the confidence sequence.",
        "stop_reason" => "Why sampling stopped.",
        "correlation" => "Correlation of the two cells on the same instances.",
        "variance_reduction" => "How many times more independent samples the same error needs.",
        "mcnemar_p" => "P-value of McNemar's exact test, for shares.",
        "truth" => "The exact value.",
        "covered" => "Whether the interval covers the exact value.",
        _ => return None,
    })
}

fn of_names(column: &str) -> Option<&'static str> {
    Some(match column {
        "experiment" => "Name of the experiment.",
        "cell" => "One combination of the swept parameters.",
        "metric" => "Name of the metric.",
        "unit" => "Unit of the metric; empty for a share.",
        "summary" => "What the metric is.",
        "first" => "The cell that counts positive.",
        "second" => "The cell that is subtracted.",
        "source" => "Where the exact value is known from.",
        "samples" => "Samples of the cell so far.",
        "sample" => "Index of the sample, from 0.",
        _ => return None,
    })
}

fn of_matches(column: &str) -> Option<&'static str> {
    Some(match column {
        "elo" => "Elo rating, or rating difference of the first side; empty where undefined.",
        "elo_lo" => "Lower end of its interval; empty where there is no bound.",
        "elo_hi" => "Upper end of its interval; empty where there is no bound.",
        "nelo" => "The difference in normalised Elo.",
        "se" => "Standard error of the rating.",
        "group" => "Swept parameters besides the players; players of one group are comparable.",
        "side" => "The side that the player plays.",
        "player" => "The player's name.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_two_tables_is_described_by_its_own() {
        assert!(description("variance", "mean").contains("reduction"));
        assert!(description("summary", "mean").contains("unresolved"));
        assert_eq!(description("summary", "no-such-column"), "");
    }
}
