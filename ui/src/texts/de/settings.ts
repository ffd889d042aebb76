import type { en } from "../en";
import type { Translation } from "../translation";

export const settings: Translation<typeof en.settings> = {
  title: "Einstellungen",
  appearance: {
    title: "Darstellung",
    words: "„System“ folgt dem Design deines Desktops, auch bei hohem Kontrast.",
    system: "System",
    dark: "Dunkel",
    light: "Hell",
    contrast: "Hoher Kontrast",
  },
  language: {
    title: "Sprache / Language",
    words: "Prompts schreibst du auf Englisch, egal welche Sprache du hier wählst.",
    system: "System",
  },
  place: {
    title: "Wo das Studio läuft",
    hereWords: "Alles läuft auf diesem Rechner, ohne Netzverbindung.",
    serverWords: "Limber sendet Prompts und Charaktere an den Server deines Studios.",
    here: "Dieser Rechner",
    server: "Server",
  },
  noKeychain:
    "Limber hat auf diesem Rechner keinen nutzbaren Schlüsselbund gefunden. Nach jedem Neustart musst du dich wieder anmelden.",
  noKeychainDetail:
    "Installiere und entsperre einen Schlüsselbund wie GNOME Keyring oder KWallet und starte Limber neu.",
  shortcuts: {
    title: "Tastatur",
    words: "Alles lässt sich mit der Tastatur bedienen.",
    show: "Tastenkürzel anzeigen",
    change: "Ändern",
    group: {
      pages: "Allgemein",
      editor: "Editor",
    },
    press: "Neue Tasten drücken",
    none: "Keins",
    has: "{{keys}}: {{does}}",
    hasNone: "Keins: {{does}}",
    clear: "Entfernen",
    reset: "Zurücksetzen",
    resetOne: "Zurücksetzen: {{does}}",
    resetAll: "Alle Tastenkürzel zurücksetzen",
    reserved: "{{keys}} ist fest vergeben. Drücke andere Tasten.",
    taken: "{{keys}} ist schon vergeben: {{does}}.",
    useHere: "Stattdessen hier verwenden",
  },
  diagnostics: {
    title: "Diagnose",
    words:
      "Speichert eine Datei mit Versionen, Einstellungen und dem Ende des Protokolls für den Support. Sie enthält keine Prompts, Adressen oder Zugangsdaten.",
    save: "Diagnose speichern",
  },
  about: {
    title: "Über Limber {{version}}",
    words:
      "Gehen und Laufen von Limbers Charakteren sind an Messwerte aus Aufnahmen von Menschen angepasst. Limber enthält keine dieser Aufnahmen.",
  },
  server: {
    words: "Diese vier Angaben bekommst du vom Betreiber deines Studios.",
    identityUrl: "Adresse des Kontodienstes",
    motionUrl: "Adresse des Motion-Dienstes",
    clientId: "Client-ID",
    clientSecret: "Client-Secret",
    secretKept: "Im Schlüsselbund gespeichert",
    allowUnencrypted: "Unverschlüsselte Verbindungen zu diesem Server erlauben",
    unencryptedWords:
      "Bei einer http://-Verbindung können Dritte Passwörter und Tokens mitlesen und sich als der Server ausgeben. Erlaube sie nur in einem Netz, dem du vertraust.",
    found: "Verbindungsprüfung",
    identity: "Kontodienst",
    motion: "Motion-Dienst",
    isFound: "{{name}}: gefunden.",
    isNotFound: "{{name}}: nicht gefunden.",
    check: "Prüfen",
    connect: "Verbinden",
  },
  model: {
    title: "Sprachmodell",
    off: "Aus. Du kannst ein Sprachmodell verbinden, das Prompts auf Wunsch liest.",
    on: "{{name}} unter {{address}} liest einen Prompt, wenn du auf „Mit meinem Modell lesen“ klickst.",
    words:
      "Funktioniert mit jedem Server, der das Chat-Completions-Protokoll unterstützt, auch auf diesem Rechner. Limber sendet ihm den Prompt, das Skriptformat und die Namen der Aktionen, und nur, wenn du auf die Schaltfläche klickst.",
    begin: "Verbinden…",
    change: "Ändern…",
    address: "Serveradresse",
    name: "Modellname",
    key: "Schlüssel",
    keyHint: "Falls der Server einen verlangt. Wird im Schlüsselbund gespeichert.",
    limit: "Zeitlimit in Sekunden",
    unencryptedWords:
      "Bei einer http://-Verbindung können Dritte die Prompts und den Schlüssel mitlesen. Für einen Server auf diesem Rechner gilt das nicht; er ist immer erlaubt.",
    test: "Testen",
    stop: "Abbrechen",
    connect: "Verbinden",
    forget: "Entfernen",
    works: "Das Modell hat ein gültiges Skript geliefert.",
  },
  storage: {
    title: "Speicherplatz",
    words: "Clips liegen in Limbers Ordner auf diesem Rechner. Abmelden löscht nichts.",
    openFolder: "Ordner öffnen",
    counting: "Wird berechnet…",
    library: "Bibliothek",
    trash: "Papierkorb",
    empty: "leer",
    studio: "Kopien des Studios",
    free: "Freier Speicherplatz",
    showTrash: "Papierkorb anzeigen",
    emptyTrash: "Papierkorb leeren",
    whatLeaves_one:
      "{{count}} Clip wird endgültig gelöscht; das gibt {{size}} frei. Das Studio löscht seine eigenen Kopien etwas später. Andere Clips und exportierte Dateien bleiben erhalten.",
    whatLeaves_other:
      "{{count}} Clips werden endgültig gelöscht; das gibt {{size}} frei. Das Studio löscht seine eigenen Kopien etwas später. Andere Clips und exportierte Dateien bleiben erhalten.",
  },
};
