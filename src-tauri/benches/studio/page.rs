//! Measures how the page handles a long library, and how responsive it is while a job runs.

use std::fs;

use limber_bench::{Report, amount, rounds};
use serde_json::{Value, json};

use super::{PROMPT, RUNS};
use crate::{home::Home, window::Window};

const CLIPS: usize = 10_000;

/// Returns the script time for one scroll step in milliseconds: the 95th percentile over a hundred
/// steps through the whole list.
const SCROLL: &str = "
    const done = arguments[0];
    (async () => {
    const list = document.querySelector('ul[aria-label=Clips]');
    let place = list;
    while (!/auto|scroll/.test(getComputedStyle(place).overflowY)) place = place.parentElement;
    const times = [];
    for (let step = 1; step <= 100; step++) {
        place.scrollTop = place.scrollHeight * step / 101;
        // laying the page out is no script
        const began = performance.now();
        place.dispatchEvent(new Event('scroll'));
        // what follows from it has been put into the page by then
        await new Promise(then => queueMicrotask(() => queueMicrotask(then)));
        times.push(performance.now() - began);
        await new Promise(then => requestAnimationFrame(() => setTimeout(then)));
    }
    place.scrollTop = 0;
    done(times.sort((a, b) => a - b)[94]);
    })();";

/// Returns the time from typing a search word to the filtered list, milliseconds.
const SEARCH: &str = "
    const [word, done] = arguments;
    (async () => {
    const field = document.querySelector('input[type=search]');
    const shown = () => document.querySelector('ul[aria-label=Clips] li')?.getAttribute('aria-setsize');
    const before = shown();
    const began = performance.now();
    field.value = word;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    while (shown() === before) await new Promise(then => setTimeout(then));
    done(performance.now() - began);
    })();";

/// Returns the longest time that the page was blocked until a job has ended, milliseconds.
const LONGEST_TASK: &str = "
    const [card, done] = arguments;
    const { port1, port2 } = new MessageChannel();
    let last = performance.now(), longest = 0;
    port1.onmessage = () => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        if (document.querySelector(card)) return done(longest);
        setTimeout(() => { last = performance.now(); port2.postMessage(0); }, 4);
    };
    port2.postMessage(0);";

/// Adds ten thousand clips, or a hundred in short runs, all sharing the files of the existing one.
pub(super) fn fill_library(home: &Home) {
    let library = home.data().join("library");
    let clips = fs::read_dir(&library).expect("a library").flatten();
    let made = clips.map(|entry| entry.path()).find(|path| path.join("clip.json").is_file());
    let made = made.expect("a clip");
    let record = fs::read(made.join("clip.json")).expect("a record");
    let mut record: Value = serde_json::from_slice(&record).expect("JSON");
    let words = ["walks forward", "waves with the left hand", "jumps twice", "sits down slowly"];
    for number in 0..amount(CLIPS, 100) {
        let job = format!("job-{number:012}");
        let folder = library.join(format!("{job}.1"));
        fs::create_dir(&folder).expect("room");
        record["id"]["job"] = job.into();
        record["prompt"] = format!("{} {number}", words[number % words.len()]).into();
        for file in fs::read_dir(&made).expect("files").flatten() {
            if file.file_name() != "clip.json" {
                fs::hard_link(file.path(), folder.join(file.file_name())).expect("linked");
            }
        }
        fs::write(folder.join("clip.json"), record.to_string()).expect("written");
    }
}

pub(super) async fn measure(home: &Home, report: &mut Report) {
    let (mut elements, mut scrolls_ms) = (Vec::new(), Vec::new());
    let (mut searches_ms, mut tasks_ms) = (Vec::new(), Vec::new());
    // a few clips match, so that the list changes
    let searched = amount("jumps twice 99", "jumps twice 9");
    let window = Window::open(home).await;
    for run in 0..rounds(RUNS) {
        window.press_exactly("Library").await;
        window.see("Clip: ").await;
        elements.push(window.count("ul[aria-label=Clips] *").await as f64);
        scrolls_ms.push(number(&window, "scrolling", SCROLL, vec![]).await);
        searches_ms.push(number(&window, "searching", SEARCH, vec![json!(searched)]).await);
        number(&window, "searching", SEARCH, vec![json!("")]).await;
        let prompt = format!("a person waves {} times", ["two", "three", "four"][run]);
        window.press_exactly("Studio").await;
        window.write(PROMPT, &prompt).await;
        window.press("Generate").await;
        let card = format!("article[aria-label^='Clip: {prompt}']");
        tasks_ms.push(number(&window, "a job", LONGEST_TASK, vec![json!(card)]).await);
    }
    window.close(home).await;
    report.at_most("elements of 10 000 clips in the page", 300.0, "", elements);
    report.at_most("script for a step of scrolling", 8.0, "ms", scrolls_ms);
    report.at_most("search in 10 000 clips", 50.0, "ms", searches_ms);
    report.at_most("longest task while a job runs", 50.0, "ms", tasks_ms);
}

/// Runs a measuring script and returns its result.
async fn number(window: &Window, what: &str, script: &str, arguments: Vec<Value>) -> f64 {
    let answer = window.client.execute_async(script, arguments).await;
    let answer = answer.unwrap_or_else(|error| panic!("{what}: {error}"));
    answer.as_f64().unwrap_or_else(|| panic!("a number, not {answer}"))
}
