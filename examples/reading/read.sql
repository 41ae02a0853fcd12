-- Read all run folders at once with DuckDB, from the folder that holds `results`:
--
--     duckdb < examples/reading/read.sql

-- Every estimate of every experiment. Columns differ, because each task has its own parameters.
CREATE VIEW summary AS
SELECT * FROM read_csv('results/*/summary.csv', union_by_name = true);

SELECT experiment, cell, metric, round(mean, 4) AS mean, round(ci_lo, 4) AS lo, round(ci_hi, 4) AS hi
FROM summary ORDER BY experiment, cell, metric;

-- The number of claims for each verdict.
SELECT verdict, count(*) AS claims
FROM read_csv('results/*/claims.csv', union_by_name = true) GROUP BY verdict ORDER BY verdict;
