import type { en } from "../en";
import type { Translation } from "../translation";

export const jobs: Translation<typeof en.jobs> = {
  title: "Warteschlange",
  words: "Was gerade entsteht und was zuletzt entstanden ist.",
  emptyTitle: "Nichts wartet",
  empty: "Jeder Prompt, den du generierst, steht hier mit Fortschritt und Platz und lässt sich abbrechen.",
  beingMade: "In Arbeit",
  earlier: "Früher",
  label: "Job: {{prompt}}",
  progress: "Fortschritt: {{prompt}}",
  tryAgain: "Noch einmal",
  tryAgainFor: "Noch einmal für {{price}}",
  useAgain: "Wiederverwenden",
  variants: "{{count}} Varianten",
  price: "Die Ergebnisse kosten {{price}}; du hast {{balance}}.",
  tooDear: "Bitte deinen Betreiber um mehr und hol sie dann.",
  pay: "Für {{price}} holen",
  state: {
    next: "Als Nächstes dran",
    before: "{{before}} davor in der Warteschlange",
    working: "Wird animiert · {{percent}}\u00a0%",
    retrying: "Etwas ging schief, neuer Versuch",
    fetching: "Fast fertig: die Dateien kommen",
    done: "Fertig",
    unpaid: "Fertig, noch nicht bezahlt",
    failed: "Hat nicht geklappt",
    cancelled: "Abgebrochen",
  },
};
