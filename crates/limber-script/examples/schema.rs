//! Prints the JSON Schema of the motion script, from which the training of the prompt reader takes
//! its closed lists.

fn main() {
    println!("{:#}", limber_script::schema().as_value());
}
