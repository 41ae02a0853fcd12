#![doc = include_str!("../README.md")]

pub mod rng;

pub mod search;
