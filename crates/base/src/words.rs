//! The words of a command line.

pub use shell_words::{join, quote};

/// The words of a command line; quotes keep blanks together.
pub fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(split("python3 my_fox.py"), ["python3", "my_fox.py"]);
        assert_eq!(
            split(" etude ugi foxes 'search(4, 9)' \"\""),
            ["etude", "ugi", "foxes", "search(4, 9)", ""]
        );
        assert!(split("  ").is_empty());
    }
}
