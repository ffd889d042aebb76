import type { en } from "../en";
import type { Translation } from "../translation";

export const shared: Translation<typeof en.shared> = {
  close: "Schließen",
  closeMessage: "Meldung schließen",
  cancel: "Abbrechen",
  remove: "Entfernen",
  tryAgain: "Noch einmal versuchen",
  code: "Code",
  framesPerSecond: "Bilder pro Sekunde",
  variants: "Varianten",
  variantCount: "Anzahl der Varianten",
  mailHere: "Mail auf diesem Rechner",
  inPlace: "Auf der Stelle: ohne Weg über den Boden",
  wentWrong:
    "In Limber ist etwas schiefgegangen. Nichts von dir ist verloren. Versuch es noch einmal oder starte Limber neu.",
  onThisComputer: "Auf diesem Rechner",
  yourAccount: "Dein Konto",
  credits_one: "{{rounded}} Credit",
  credits_other: "{{rounded}} Credits",
  length_one: "{{seconds}} s · {{count}} Frame",
  length_other: "{{seconds}} s · {{count}} Frames",
  moment: "{{seconds}} s · Frame {{frame}}",
  tick: "{{seconds}} s · {{frame}}",
  clips_one: "{{count}} Clip",
  clips_other: "{{count}} Clips",
  change: {
    painted: "übermalt",
    joined: "verbunden",
    looped: "zum Loop gemacht",
    refined: "verfeinert",
    cut: "geschnitten",
    filmed: "Film",
    changed: "geändert",
  },
  ago: {
    now: "gerade eben",
    minutes: "vor {{count}} min",
    hours: "vor {{count}} h",
    yesterday: "gestern",
    days: "vor {{count}} Tagen",
  },
  left: {
    seconds: "noch {{count}} s",
    minutes: "noch {{count}} min",
    hours: "noch {{count}} h",
  },
};
