import type { en } from "../en";
import type { Translation } from "../translation";

export const jobs: Translation<typeof en.jobs> = {
  title: "Warteschlange",
  words: "Laufende und letzte Jobs.",
  emptyTitle: "Keine Jobs",
  empty:
    "Jeder Prompt, den du generierst, erscheint hier mit Fortschritt und Position in der Warteschlange. Hier kannst du ihn abbrechen.",
  beingMade: "In Arbeit",
  earlier: "Verlauf",
  label: "Job: {{prompt}}",
  progress: "Fortschritt: {{prompt}}",
  tryAgain: "Erneut versuchen",
  tryAgainFor: "Erneut versuchen für {{price}}",
  useAgain: "Prompt wiederverwenden",
  variants: "{{count}} Varianten",
  price: "Die Ergebnisse kosten {{price}}, du hast {{balance}}.",
  tooDear: "Bitte deinen Betreiber um mehr Credits und rufe dann die Ergebnisse ab.",
  pay: "Ergebnisse für {{price}} abrufen",
  doubt: {
    title: "Diesen Job abbrechen?",
    words: "Limber arbeitet seit {{time}} an „{{prompt}}“. Wenn du abbrichst, geht diese Arbeit verloren.",
    yes: "Job abbrechen",
    no: "Weiterlaufen lassen",
    seconds: "{{count}} s",
    minutes: "{{count}} min",
  },
  stage: {
    preparing: "Vorbereitung",
    moving: "Bewegung wird generiert",
    grounding: "Fußkontakte werden korrigiert",
    writing: "Dateien werden geschrieben",
    drawing: "Video wird gerendert",
    finishing: "Ergebnisse werden gespeichert",
  },
  state: {
    next: "Als Nächstes an der Reihe",
    before: "{{before}} davor in der Warteschlange",
    working: "{{stage}} · {{percent}}\u00a0%",
    workingOn: "{{variant}} von {{variants}}: {{stage}} · {{percent}}\u00a0%",
    retrying: "Unterbrochen; wird automatisch wiederholt",
    fetching: "Dateien werden heruntergeladen",
    done: "Fertig",
    unpaid: "Fertig, noch nicht bezahlt",
    failed: "Fehlgeschlagen",
    cancelled: "Abgebrochen",
  },
};
