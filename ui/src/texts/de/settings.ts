import type { en } from "../en";
import type { Translation } from "../translation";

export const settings: Translation<typeof en.settings> = {
  title: "Einstellungen",
  appearance: {
    title: "Darstellung",
    words: "System folgt dem, was dein Desktop vorgibt, auch mit hohem Kontrast.",
    system: "System",
    dark: "Dunkel",
    light: "Hell",
    contrast: "Hoher Kontrast",
  },
  language: {
    title: "Sprache / Language",
    words: "Prompts sind in jeder Sprache englisch.",
    system: "System",
  },
  place: {
    title: "Wo du arbeitest",
    hereWords: "Alles läuft hier. Ein Netz braucht es nie.",
    serverWords: "Prompts und Charaktere gehen an den Server deines Studios.",
    here: "Dieser Rechner",
    server: "Ein Server",
  },
  noKeychain:
    "Auf diesem Rechner gibt es keinen Schlüsselbund, den Limber nutzen kann. Nach einem Neustart musst du dich wieder anmelden.",
  noKeychainDetail:
    "Installiere und entsperre einen, zum Beispiel GNOME Keyring oder KWallet, und starte Limber neu.",
  shortcuts: {
    title: "Tastenkürzel",
    words: "Alles geht auch mit der Tastatur.",
    show: "Tastenkürzel zeigen",
  },
  diagnostics: {
    title: "Wenn etwas schiefgeht",
    words:
      "Eine Datei mit Versionen, Einstellungen und dem Ende des Protokolls, für alle, die dir helfen. Prompts, Adressen und Geheimnisse sind nicht darin.",
    save: "Diagnose speichern",
  },
  about: {
    title: "Über Limber {{version}}",
    words:
      "Wie Limbers Charaktere gehen und laufen, wurde an Messwerte aus Aufnahmen von Menschen angepasst. Keine der Aufnahmen steckt darin.",
  },
  server: {
    words: "Diese vier bekommst du von deinem Betreiber.",
    identityUrl: "Adresse des Anmeldedienstes",
    motionUrl: "Adresse des Motion-Dienstes",
    clientId: "Client-ID",
    clientSecret: "Client-Secret",
    secretKept: "Liegt im Schlüsselbund",
    allowUnencrypted: "Unverschlüsselte Verbindungen zu diesem Server erlauben",
    unencryptedWords:
      "Auf dem Weg zu einer http://-Adresse kann jeder Passwörter und Tokens mitlesen und anstelle des Servers antworten. Erlaube es nur in einem Netz, dem du vertraust.",
    found: "Was gefunden wurde",
    identity: "Anmeldedienst",
    motion: "Motion-Dienst",
    isFound: "{{name}}: gefunden.",
    isNotFound: "{{name}}: nicht gefunden.",
    check: "Prüfen",
    connect: "Verbinden",
  },
  model: {
    title: "Dein eigenes Sprachmodell",
    off: "Aus. Du kannst eins verbinden, das Prompts liest, wenn du es verlangst.",
    on: "{{name}} unter {{address}} liest einen Prompt, wenn du „Mit meinem Modell lesen“ drückst.",
    words:
      "Jeder Server passt, der das Chat-Completions-Protokoll spricht, auch einer auf diesem Rechner. Er bekommt den Prompt, die Form der Skripte und die Namen der Aktionen, und nur, wenn du drückst.",
    begin: "Eins verbinden…",
    change: "Ändern…",
    address: "Adresse des Servers",
    name: "Name des Modells",
    key: "Schlüssel",
    keyHint: "Falls der Server einen will. Er liegt im Schlüsselbund.",
    limit: "Zeitgrenze in Sekunden",
    unencryptedWords:
      "Auf dem Weg zu einer http://-Adresse kann jeder Prompts und Schlüssel mitlesen. Auf diesem Rechner ist das niemand, und nichts muss erlaubt werden.",
    test: "Testen",
    stop: "Anhalten",
    connect: "Verbinden",
    forget: "Vergessen",
    works: "Es antwortet mit Skripten.",
  },
  storage: {
    title: "Deine Clips",
    words: "Sie liegen in Limbers eigenem Ordner auf diesem Rechner. Abmelden löscht nichts.",
    openFolder: "Ordner öffnen",
    counting: "Zählt…",
    library: "Bibliothek",
    bin: "Papierkorb",
    empty: "leer",
    studio: "Eigene Kopien des Studios",
    free: "Frei auf der Platte",
    showBin: "Papierkorb zeigen",
    emptyBin: "Papierkorb leeren",
    whatLeaves_one:
      "{{count}} Clip verlässt die Bibliothek für immer; das gibt {{size}} frei. Die eigenen Kopien des Studios gehen etwas später. Clips der Bibliothek und exportierte Dateien bleiben.",
    whatLeaves_other:
      "{{count}} Clips verlassen die Bibliothek für immer; das gibt {{size}} frei. Die eigenen Kopien des Studios gehen etwas später. Clips der Bibliothek und exportierte Dateien bleiben.",
  },
};
