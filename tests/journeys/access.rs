//! Accessibility checks with axe-core on the page as the real web view renders it: names, roles,
//! order, and colour contrast against the actual background.

use std::{fs, sync::LazyLock};

use fantoccini::Client;
use serde_json::json;

static AXE: LazyLock<String> = LazyLock::new(|| {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/node_modules/axe-core/axe.min.js");
    fs::read_to_string(file).expect("axe-core is installed; run `npm --prefix ui ci`")
});

const RULES: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const ASK: &str = "
    const [tags, done] = arguments;
    const describe = ({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`);
    axe.run(document, { runOnly: tags, resultTypes: ['violations'] }).then(
        ({ violations }) => done(violations.flatMap(describe)),
        (error) => done([String(error)]),
    );";

/// Returns every violation with its element; `None` while there is no page.
pub(crate) async fn findings(client: &Client) -> Option<Vec<String>> {
    let is_there = client.execute("return 'axe' in window", vec![]).await.ok()?;
    if is_there != json!(true) {
        client.execute(&AXE, vec![]).await.ok()?;
    }
    let found = client.execute_async(ASK, vec![json!(RULES)]).await.ok()?;
    serde_json::from_value(found).ok()
}
