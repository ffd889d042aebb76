//! Prints the JSON Schema of the motion script; the training of the reader takes its closed lists from there.

fn main() {
    println!("{:#}", limber_script::schema().as_value());
}
