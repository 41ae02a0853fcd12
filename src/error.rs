//! What can go wrong above the games: a message for a person, and the exit code it ends with.
