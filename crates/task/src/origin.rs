//! The origin of a result, as a citation has it: a program with its version and revision, and a day.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::Application;
use base::{files, visible_line};

/// The origin of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The program with its version.
    pub program: String,
    /// The source revision, where it is known.
    pub revision: Option<String>,
    /// The day on which it was finished, such as `2026-11-28`.
    pub date: String,
}

impl Origin {
    /// The file of a proof's folder that tells its origin.
    pub const FILE: &str = "origin.json";

    /// The origin of what a program finishes now.
    pub fn now(app: &Application) -> Origin {
        Origin {
            program: format!("{} {}", app.name, app.versions()),
            revision: app.revision.map(str::to_owned),
            date: day(SystemTime::now()),
        }
    }

    /// The day of a number of seconds since 1970, in UTC.
    pub fn day_of(unix: u64) -> String {
        day(SystemTime::UNIX_EPOCH + Duration::from_secs(unix.min(MOST_SECONDS)))
    }

    /// Reads the origin that a folder tells; `None` of a folder that tells none.
    ///
    /// # Errors
    /// If the file cannot be read, or is of another form.
    pub fn read(folder: &Path) -> std::io::Result<Option<Origin>> {
        let file = folder.join(Self::FILE);
        if !file.is_file() {
            return Ok(None);
        }
        let origin = serde_json::from_str(&files::read_text(&file)?);
        origin.map(Some).map_err(std::io::Error::other)
    }

    /// The text of the file.
    pub fn write(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The program, the revision and the day, as a citation has them.
    pub fn cited(&self) -> String {
        let revision = self.revision.as_deref().unwrap_or("not recorded");
        let (program, day) = (&self.program, &self.date);
        visible_line(&format!("{program}, revision {revision}, {day}"))
    }
}

/// The last second of the year 9999.
const MOST_SECONDS: u64 = 253_402_300_799;

/// The day of an instant in UTC, by Hinnant's `civil_from_days` (chrono-compatible low-level date algorithms, 2013):
/// years begin in March, so that a leap day is the last of its year.
fn day(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    let days = since.unwrap_or_default().as_secs() / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_the_calendar() {
        let known = [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (4_107_542_400, "2100-03-01"),
            (1_795_811_609, "2026-11-27"),
            (u64::MAX, "9999-12-31"),
        ];
        for (seconds, day) in known {
            assert_eq!(Origin::day_of(seconds), day, "{seconds}");
        }
        let days = (0..200_000).map(|day| Origin::day_of(day * 86_400));
        assert!(days.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn an_origin_is_read_back_and_cited() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Origin::read(folder.path()).unwrap(), None);
        let origin = Origin::now(&Application::LIBRARY);
        std::fs::write(folder.path().join(Origin::FILE), origin.write()).unwrap();
        assert_eq!(Origin::read(folder.path()).unwrap(), Some(origin.clone()));
        let cited = origin.cited();
        let program = format!("etude {}, revision not recorded, ", Application::LABORATORY);
        assert!(
            cited.starts_with(&program) && cited.ends_with(&origin.date),
            "{cited}"
        );
        std::fs::write(folder.path().join(Origin::FILE), "{}").unwrap();
        assert!(Origin::read(folder.path()).is_err());
    }
}
