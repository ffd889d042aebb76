//! Translations of the window's texts.

pub(crate) use limber_api::viewer::ViewerLanguage as Language;

/// Translates a text of the window; the source text is English. Texts that are the same in both
/// languages are not in the table.
pub(crate) fn said(language: Language, english: &'static str) -> &'static str {
    match language {
        Language::En => english,
        Language::De => german(english).unwrap_or(english),
    }
}

fn german(english: &str) -> Option<&'static str> {
    GERMAN.iter().find(|(known, _)| *known == english).map(|(_, german)| *german)
}

const GERMAN: [(&str, &str); 59] = [
    ("First frame (Home)", "Erster Frame (Pos1)"),
    ("Play backwards (J)", "Rückwärts abspielen (J)"),
    ("Previous frame (←)", "Vorheriger Frame (←)"),
    ("Next frame (→)", "Nächster Frame (→)"),
    ("Play or pause (Space)", "Abspielen oder anhalten (Leertaste)"),
    ("Last frame (End)", "Letzter Frame (Ende)"),
    ("Slower ([)", "Langsamer ([)"),
    ("Faster (])", "Schneller (])"),
    ("frame", "Frame"),
    ("Bones", "Knochen"),
    ("Axes", "Achsen"),
    ("Contacts", "Kontakte"),
    ("Trails", "Bewegungspfade"),
    ("Ghosts", "Ghosting"),
    ("Follow", "Folgen"),
    ("In place", "Auf der Stelle"),
    ("Three-quarter", "Schräg"),
    ("Front", "Vorn"),
    ("Side", "Seite"),
    ("Top", "Oben"),
    ("Camera", "Kamera"),
    ("Show", "Anzeigen"),
    ("Shift O", "Umschalt O"),
    ("A, next B: N", "A, nächstes B: N"),
    ("Open two files to overlay them", "Öffne zwei Dateien, um sie zu überlagern"),
    ("Rendering turntable… {} %", "Turntable wird gerendert… {} %"),
    ("Saved “{}”", "„{}“ wurde gespeichert"),
    ("Saved “{}” in {}", "„{}“ wurde in {} gespeichert"),
    ("Shortcuts", "Tastenkürzel"),
    ("Drag  orbit", "Ziehen  drehen"),
    ("Right drag  pan", "Rechts ziehen  verschieben"),
    ("Wheel  zoom", "Mausrad  zoomen"),
    ("Space  play, pause", "Leertaste  abspielen, anhalten"),
    ("J  play backwards", "J  rückwärts abspielen"),
    ("K  stop", "K  anhalten"),
    ("Left, Right  one frame", "Links, Rechts  ein Frame"),
    ("Shift Left, Right  ten frames", "Umschalt Links, Rechts  zehn Frames"),
    ("Home, End  first, last frame", "Pos1, Ende  erster, letzter Frame"),
    ("L  loop", "L  Loop"),
    ("[ ]  slower, faster", "[ ]  langsamer, schneller"),
    ("B  bones", "B  Knochen"),
    ("S  mesh", "S  Mesh"),
    ("G  floor grid", "G  Bodenraster"),
    ("C  foot contacts", "C  Fußkontakte"),
    ("X  world axes", "X  Weltachsen"),
    ("M  motion trails", "M  Bewegungspfade"),
    ("Shift O  ghosts before and after", "Umschalt O  Ghosting davor und danach"),
    ("A  overlay A and B", "A  A und B überlagern"),
    ("N  next B", "N  nächstes B"),
    ("V  follow with camera", "V  Kamera folgt"),
    ("R  toggle in place", "R  auf der Stelle ein/aus"),
    ("F  frame everything", "F  alles ins Bild"),
    ("1 2 3 4  three-quarter, front, side, top", "1 2 3 4  schräg, vorn, Seite, oben"),
    ("5  perspective, orthographic", "5  perspektivisch, orthografisch"),
    ("T  dark, light", "T  dunkel, hell"),
    ("Shift P  save image", "Umschalt P  Bild speichern"),
    ("Shift T  render turntable", "Umschalt T  Turntable rendern"),
    ("H  show shortcuts", "H  Tastenkürzel anzeigen"),
    ("Esc  close", "Esc  schließen"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::KEYS;

    const SAME: [&str; 4] = ["Loop", "A/B", "Ortho", "Mesh"];

    #[test]
    fn all_window_text_is_translated() {
        let sources = [
            include_str!("controls.rs"),
            include_str!("controls/switches.rs"),
            include_str!("session.rs"),
            include_str!("window/saving.rs"),
        ];
        let said = sources.iter().flat_map(|source| {
            let calls = ["said(session.language, ", "said(self.language, ", "say(", "switch("];
            calls.into_iter().flat_map(|call| source.split(call).skip(1))
        });
        let said = said.filter_map(|call| call.strip_prefix('"')?.split('"').next());
        let keys = KEYS.iter().map(|key| key.3).filter(|name| !name.is_empty());
        let said: Vec<_> = said.chain(keys).filter(|text| !SAME.contains(text)).collect();
        assert!(said.len() > 50, "{said:?}");
        for english in said {
            assert!(german(english).is_some(), "“{english}” is not German");
        }
    }

    #[test]
    fn placeholders_are_the_same_in_both_languages() {
        for (english, german) in GERMAN {
            let places = |text: &str| text.matches("{}").count();
            assert_eq!(places(english), places(german), "{english}");
        }
    }
}
