//! The standing of a contest: the points of each player on each side, and who is out and why.

use indexmap::{IndexMap, IndexSet};

use super::results::Results;
use super::rows::{rating_interval, text};
use crate::sheet::Sheet;
use base::counted;
use lab::tables::RatingRow;

/// A player of the contest, with its row on each side that it played.
struct Participant<'run> {
    name: String,
    sides: IndexMap<&'run str, &'run RatingRow>,
}

impl Participant<'_> {
    fn points(&self) -> f64 {
        let points = self.sides.values().filter_map(|row| row.points);
        points.map(f64::from).sum()
    }

    fn games(&self) -> u64 {
        self.sides.values().filter_map(|row| row.n).sum()
    }

    fn forfeits(&self) -> u64 {
        self.sides.values().filter_map(|row| row.forfeits).sum()
    }

    fn of_side(&self, side: &str, text: impl Fn(&RatingRow) -> String) -> String {
        self.sides
            .get(side)
            .map_or_else(String::new, |row| text(row))
    }
}

/// Returns the players by their points, of whom none are told where not all games are decided, with a line for
/// each who is out; `None` where there is nothing to tell.
pub(super) fn standing(results: &Results) -> Option<Sheet> {
    let players = by_points(results).unwrap_or_default();
    let outs: Vec<String> = outs(results).collect();
    if players.is_empty() && outs.is_empty() {
        return None;
    }
    let rows = &results.ratings;
    let sides: IndexSet<&str> = rows.iter().map(|row| &*row.side).collect();
    let may_forfeit = rows.iter().any(|row| row.forfeits.is_some());
    let mut columns = vec!["player".to_owned(), "=points".to_owned()];
    columns.extend(sides.iter().map(|side| format!("=as {side}")));
    columns.push("=games".to_owned());
    columns.extend(sides.iter().map(|side| format!("=Elo as {side}")));
    columns.extend(may_forfeit.then(|| "=forfeits".to_owned()));
    let row = |player: &Participant<'_>| {
        let points = |row: &RatingRow| text(row.points, |points| points.to_string());
        let mut fields = vec![player.name.clone(), player.points().to_string()];
        fields.extend(sides.iter().map(|side| player.of_side(side, points)));
        fields.push(player.games().to_string());
        fields.extend(sides.iter().map(|side| player.of_side(side, rating)));
        fields.extend(may_forfeit.then(|| player.forfeits().to_string()));
        fields
    };
    Some(Sheet {
        note: outs.join("\n"),
        ..Sheet::new("Standing", columns, players.iter().map(row).collect())
    })
}

/// The player with the most points, and a sentence on them; `None` where no points were given, or several lead.
pub(super) fn leader(results: &Results) -> Option<(String, String)> {
    let players = by_points(results)?;
    let (first, others) = players.split_first()?;
    let most = others.first().map_or(0.0, Participant::points);
    let games = counted(first.games(), "match");
    (first.points() > most).then(|| {
        let (name, points) = (first.name.clone(), first.points());
        (
            name,
            format!("leads the standing with {points} points in {games}."),
        )
    })
}

/// The players, those with the most points first; `None` where not all games are decided.
fn by_points(results: &Results) -> Option<Vec<Participant<'_>>> {
    let is_known = results.ratings.iter().all(|row| row.points.is_some());
    let mut players = participants(&results.ratings);
    players.sort_by(|a, b| b.points().total_cmp(&a.points()));
    is_known.then_some(players)
}

/// The players in the order of their rows.
fn participants(rows: &[RatingRow]) -> Vec<Participant<'_>> {
    let mut players: IndexMap<(&str, &str), Participant<'_>> = IndexMap::new();
    for row in rows {
        let name = match row.group.as_str() {
            "" => row.player.clone(),
            group => format!("{} ({group})", row.player),
        };
        let player = players.entry((&row.group, &row.player));
        let player = player.or_insert_with(|| Participant {
            name,
            sides: IndexMap::new(),
        });
        player.sides.insert(&row.side, row);
    }
    players.into_values().collect()
}

/// A rating with its interval: `120 (80 to 160)`.
fn rating(row: &RatingRow) -> String {
    let interval = rating_interval(row);
    match (row.elo, interval.as_str()) {
        (None, _) => interval,
        (Some(elo), "") => format!("{:.0}", f64::from(elo)),
        (Some(elo), _) => format!("{:.0} ({interval})", f64::from(elo)),
    }
}

/// A sentence on each player that is out.
pub(super) fn outs(results: &Results) -> impl Iterator<Item = String> {
    let players = results.config.players.iter();
    players.filter_map(|(name, table)| {
        let mut programs = results.manifest.programs.iter();
        let record = programs.find(|record| record.argv == table.run && !record.out.is_empty())?;
        Some(format!(
            "{name} is out, and none of its matches was played: {}",
            record.out
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::results;
    use lab::tables::Exact;

    /// Two players of both sides: each has one row with the sum of its points, the better one first.
    #[test]
    fn a_standing_sums_the_points_of_both_sides_and_names_who_is_out() {
        let mut results = results();
        let row = results.ratings[0].clone();
        let rated = |side: &str, player: &str, points: f64, forfeits: u64| RatingRow {
            group: String::new(),
            side: side.to_owned(),
            player: player.to_owned(),
            points: Some(Exact(points)),
            forfeits: Some(forfeits),
            n: Some(10),
            ..row.clone()
        };
        results.ratings = vec![
            rated("fox", "ada", 1.0, 2),
            rated("fox", "ben", 4.5, 0),
            rated("hens", "ada", 2.0, 1),
        ];
        let sheet = standing(&results).unwrap();
        let fields = |row: usize| {
            let row = &sheet.rows[row];
            [0, 1, 2, 3, 4, 7].map(|column| row[column].as_str())
        };
        assert_eq!(fields(0), ["ben", "4.5", "4.5", "", "10", "0"]);
        assert_eq!(fields(1), ["ada", "3", "1", "2", "20", "3"]);
        assert_eq!(sheet.note, "");
        let told = "leads the standing with 4.5 points in 10 matches.";
        assert_eq!(leader(&results), Some(("ben".to_owned(), told.to_owned())));
        results.ratings[0].points = Some(Exact(2.5));
        assert_eq!(leader(&results), None, "two have as many");
        results.ratings[1].points = None;
        assert!(standing(&results).is_none());
    }
}
