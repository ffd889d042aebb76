//! Where platforms may differ, and where they must not.

use std::path::Path;

use crate::{project_files, text_of};

/// Crates that generate and process motion: the same seed must give the same bytes on every
/// platform.
const SAME_EVERYWHERE: [&str; 9] = [
    "limber-animation",
    "limber-script",
    "limber-reader",
    "limber-text-to-motion",
    "limber-cleanup",
    "limber-retarget",
    "limber-formats",
    "limber-takes",
    "limber-pipeline",
];

/// Functions of the standard library whose last digits depend on the system's C library.
const SYSTEM_FUNCTIONS: [&str; 20] = [
    "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp",
    "exp2", "exp_m1", "ln", "log2", "log10", "powf", "cbrt", "hypot",
];

#[test]
fn motion_crates_use_no_system_mathematics() {
    for path in project_files() {
        let is_same =
            SAME_EVERYWHERE.iter().any(|name| path.starts_with(format!("crates/{name}/src")));
        if is_same
            && let Some(line) = text_of(&path).lines().find(|line| calls_system_function(line))
        {
            panic!("{}: use limber_animation::maths instead: {line}", path.display());
        }
    }
}

/// Returns whether a line of Rust calls one of these functions as a method or by its type.
fn calls_system_function(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    SYSTEM_FUNCTIONS.iter().any(|name| {
        code.contains(&format!(".{name}("))
            || ["f32", "f64"].iter().any(|number| {
                let named = format!("{number}::{name}");
                code.split(&named).skip(1).any(|rest| !rest.starts_with(is_identifier_character))
            })
    })
}

fn is_identifier_character(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[test]
fn calls_to_system_mathematics_are_detected() {
    for line in ["let a = x.sin();", "points.map(f32::exp)", "f64::atan2(y, x)"] {
        assert!(calls_system_function(line), "{line}");
    }
    for line in ["sin(x)", "// as x.sin() would", "f32::exponent", "libm::expf(x)", "x.sinuous()"] {
        assert!(!calls_system_function(line), "{line}");
    }
}

/// Platform differences are separate modules with one implementation per system, mostly in
/// `limber-system`. Tests may check the platform.
#[test]
fn platform_differences_are_whole_modules() {
    for path in project_files() {
        let is_code = path.extension().is_some_and(|ending| ending == "rs")
            && (path.starts_with("crates") || path.starts_with("src-tauri"))
            && path.iter().any(|part| part == "src");
        if let Some(line) = is_code.then(|| first_inline_condition(&path)).flatten() {
            panic!("{}: move this into a module for each system: {line}", path.display());
        }
    }
}

/// Returns the first line with conditional compilation that is not a module.
fn first_inline_condition(path: &Path) -> Option<String> {
    let text = text_of(path);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let code = lines.iter().position(|line| line.starts_with("mod tests")).unwrap_or(lines.len());
    let is_of_system = |line: &&str| {
        line.starts_with("#[cfg")
            && !line.contains("test")
            && ["unix", "windows", "target_os"].iter().any(|system| line.contains(system))
    };
    (0..code).filter(|at| is_of_system(&lines[*at])).find_map(|at| {
        let item = lines[at..].iter().find(|line| !line.starts_with("#["))?;
        let is_module = item.starts_with("mod ") || item.starts_with("pub mod ");
        (!is_module).then(|| (*item).to_owned())
    })
}
