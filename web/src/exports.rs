//! The exports of the WebAssembly: one buffer of text, written by the page and answered in place.
//!
//! The attribute that keeps a function's name counts as unsafe, since two functions of one name would clash;
//! these three names occur once, and no code here is unsafe.
#![allow(unsafe_code)]

use std::cell::RefCell;

use super::Desk;

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a request of so many bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *const u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_ptr()
    })
}

/// Answers the request in the buffer, puts the reply there, and returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = TEXT.take();
    let reply = DESK.with_borrow_mut(|desk| desk.answer(&String::from_utf8_lossy(&request)));
    TEXT.with_borrow_mut(|text| {
        *text = reply.into_bytes();
        text.len()
    })
}

/// Returns the address of the reply.
#[unsafe(no_mangle)]
pub extern "C" fn reply() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}
