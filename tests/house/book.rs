//! The book in `docs/` builds, and its links are valid.

use std::path::Path;

use mdbook_driver::MDBook;

use crate::{project_files, root, text_of};

#[test]
fn the_book_builds() {
    let out = tempfile::tempdir().expect("a temporary folder can be created");
    let mut book = MDBook::load(root().join("docs")).expect("the book can be loaded");
    book.config.build.build_dir = out.path().to_owned();
    book.build().expect("every chapter can be built");
    assert!(out.path().join("index.html").exists());
}

#[test]
fn links_between_documents_are_valid() {
    let documents = project_files();
    let documents = documents.iter().filter(|path| path.extension().is_some_and(|e| e == "md"));
    for document in documents {
        let folder = root().join(document.parent().unwrap_or(Path::new("")));
        for target in
            text_of(document).split("](").skip(1).filter_map(|rest| rest.split(')').next())
        {
            let is_elsewhere = target.contains("://") || target.starts_with('#');
            let file = target.split('#').next().unwrap_or_default();
            assert!(
                is_elsewhere || folder.join(file).exists(),
                "{}: the link {target} is broken",
                document.display()
            );
        }
    }
}
