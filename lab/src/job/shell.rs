//! Quotes words for a POSIX shell, so that scripts keep names unchanged.

/// The word as a shell reads it back, whatever characters it holds.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A command line of these words.
pub fn command_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(quoted).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn a_shell_reads_back_any_words(words in proptest::collection::vec("[^\0]{0,12}", 1..4)) {
            let script = format!("printf '%s\\0' {}", command_line(words.iter().map(String::as_str)));
            let output = std::process::Command::new("sh").arg("-c").arg(script).output().unwrap();
            let expected: String = words.iter().map(|word| format!("{word}\0")).collect();
            prop_assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
        }
    }

    #[test]
    fn ordinary_paths_stay_readable_and_all_else_is_quoted() {
        assert_eq!(quoted("/a/b-1.toml"), "/a/b-1.toml");
        assert_eq!(quoted("$(reboot) it's"), r"'$(reboot) it'\''s'");
        assert_eq!(quoted("~"), "'~'");
        assert_eq!(quoted(""), "''");
    }
}
