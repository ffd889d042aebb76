/**
 * German messages of the app and its services, by code. `{{name}}` is replaced by an argument; text
 * in double brackets is left out if its argument is missing. `messages.test.ts` checks the set of
 * codes.
 */
export const messages: Readonly<Record<string, string>> = {
  // prompts, scripts and jobs, from readers, engines and services
  "unknown-word": "Limber kennt „{{word}}“ noch nicht und hat es ausgelassen.[[ Am nächsten liegen: {{nearest}}.]]",
  "nothing-known": "Limber kennt das noch nicht: {{words}}.[[ Am nächsten liegen: {{nearest}}.]]",
  "no-movement":
    "Limber findet in „{{prompt}}“ kein englisches Wort für eine Bewegung. Versuche zum Beispiel: {{nearest}}.",
  "empty-prompt":
    "Der Prompt ist leer. Schreibe auf Englisch, was die Person tut, zum Beispiel „a person walks forward“.",
  "long-prompt": "Der Prompt hat {{characters}} Zeichen, erlaubt sind höchstens {{most}}. Kürze ihn.",
  corrected: "Limber hat „{{typed}}“ als „{{meant}}“ gelesen.",
  "not-performed-yet": "Limber kann „{{action}}“ noch nicht ausführen.[[ Am nächsten liegen: {{nearest}}.]]",
  "words-not-performed-yet": "Limber kann noch nicht zeigen: {{words}}.",
  "event-not-performed-yet":
    "events[{{event}}]: Limber kann „{{action}}“ noch nicht ausführen.[[ Am nächsten liegen: {{nearest}}.]]",
  "no-such-movement": "events[{{event}}]: „{{action}}“ ist keine Bewegung dieses Körperteils.",
  "legs-are-busy":
    "events[{{event}}]: „{{action}}“ entfällt; die Beine führen zu dieser Zeit etwas anderes aus.",
  "left-out":
    "[[events[{{event}}]: ]]„{{field}}“[[ von „{{action}}“]] entfällt; Limber kann es noch nicht ausführen.",
  "number-out-of-range": "„{{words}}“ entfällt: So viel oder so wenig kann Limber nicht ausführen.",
  contradiction: "[[events[{{event}}]: ]]„{{first}}“ und „{{second}}“ widersprechen sich; {{kept}}.",
  negated: "„{{action}}“ entfällt, weil der Prompt es ausschließt.",
  "one-person": "Limber animiert eine Person; die anderen wurden ausgelassen.",
  "on-the-spot":
    "Limber kann noch nicht auf der Stelle gehen oder laufen; die Person bewegt sich von der Stelle. Schalte „Auf der Stelle“ ein, um die Root Motion zu entfernen.",
  "same-body-part": "„{{first}}“ und „{{second}}“ brauchen denselben Körperteil und werden nacheinander ausgeführt.",
  "nothing-meanwhile": "Es ist nichts angegeben, das gleichzeitig geschehen soll.",
  "most-actions": "Ein Prompt fasst {{most}} Aktionen; der Rest wurde ausgelassen.",
  "most-repetitions": "Limber wiederholt eine Aktion höchstens {{most}}-mal („{{action}}“).",
  "most-turns": "Eine Drehung hat höchstens zehn Umdrehungen.",
  "most-of-one": "Eine Aktion geht über höchstens {{most}} {{measure}} („{{action}}“).",
  "only-beginning":
    "In {{wantedMs}} Sekunden passt nur der Anfang; alles zusammen dauert etwa {{wholeMs}} Sekunden.",
  "too-short":
    "{{wantedMs}} Sekunden sind zu kurz für diese Aktionen, die etwa {{usualS}} brauchen. Wähle mindestens {{enoughMs}} Sekunden oder weniger Aktionen.",
  "too-long": "Alles zusammen dauert etwa {{wholeS}} Sekunden, ein Clip höchstens {{mostS}}. Lass etwas weg.",
  "clip-length": "Ein Clip dauert {{leastMs}} bis {{mostMs}} Sekunden. Wähle eine Zeit dazwischen.",
  "empty-script": "Das Skript enthält keine Schritte.",
  "all-made-anew": "Der ganze Clip ist markiert, also wird alles neu generiert.",
  "unknown-parameter": "Unbekannter Parameter: {{name}}.",
  "meaningless-parameter": "{{name}} hat zusammen mit {{beside}} keine Wirkung.",
  "fbx-skipped": "FBX ist zugleich angefordert und ausgeschlossen; der Job erzeugt BVH und GLB.",
  "no-floor-for-shadow": "Ein flacher Hintergrund hat keinen Boden, darum fällt der Schatten weg.",
  "one-rerun": "Eine Wiederholung erzeugt dieselbe Bewegung, deshalb gibt es nur eine Variante.",
  "one-overlap": "Eine Überlappung generiert keine neue Bewegung, deshalb gibt es nur eine Variante.",
  "unit-guessed":
    "Die Enden der Intervalle sind ganze Zahlen und wurden als {{readAs}} gelesen; setze „unit“, wenn sie anders gemeint sind.",
  "source-removed": "Der Clip {{clip}}, mit dem der Job beginnt, wurde entfernt.",
  "source-unreadable":
    "Der Clip {{clip}}, mit dem der Job beginnt, ist nicht lesbar. Führe den Job des Clips noch einmal aus.",
  "filmed-clip-removed": "Die Dateien von {{clip}} wurden entfernt. Generiere diese Bewegung noch einmal.",
  "filmed-clip-unreadable": "Die Datei von {{clip}} ist nicht lesbar. Generiere diese Bewegung noch einmal.",
  "corrected-joint-missing":
    "Der Charakter hat kein Gelenk „{{joint}}“, deshalb bleibt die Korrektur ohne Wirkung.",
  "corrected-body-stuck":
    "Durch die Korrekturen durchdringen sich Körperteile; Limber konnte sie nicht voneinander lösen.",
  "hand-missing": "Für die {{side}} Hand gibt es kein Gelenk: Das Mesh dort bewegt sich mit dem Unterarm.",
  "fingers-missing": "Für die {{side}} Hand wurden keine Fingergelenke gefunden: Ihre Finger bewegen sich nicht.",

  recorded: "„{{action}}“ ist aufgenommen: {{take}}, aus {{library}}.[[ Nutzungsbedingungen: {{licence}}]]",
  "take-not-used": "„{{action}}“ ist generiert: {{refusal}}.",

  // the user's own language model
  "language-model-address":
    "Die Adresse des Sprachmodells ist keine Webadresse. Sie sieht aus wie http://localhost:11434/v1.",
  "language-model-unencrypted":
    "Die Adresse des Sprachmodells beginnt mit http://; andere im Netz könnten Prompts und Schlüssel mitlesen. Verwende https:// oder erlaube unverschlüsselte Verbindungen zu diesem Server.",
  "language-model-name": "Gib den Namen des Modells so ein, wie sein Server ihn kennt, mit 1 bis {{most}} Zeichen.",
  "language-model-limit": "Wähle ein Zeitlimit von {{least}} bis {{most}} Sekunden.",
  "language-model-key":
    "Ein Schlüssel darf nur Buchstaben, Ziffern und Zeichen ohne Akzente enthalten, höchstens {{most}}. Kopiere ihn noch einmal.",
  "language-model-missing": "Es ist kein Sprachmodell verbunden. Verbinde eins in den Einstellungen.",
  "language-model-key-gone":
    "Der Schlüssel deines Sprachmodells liegt nicht im Schlüsselbund dieses Rechners, oder der ist gesperrt. Entsperre ihn oder gib den Schlüssel in den Einstellungen noch einmal ein.",
  "language-model-no-tls": "Auf diesem Rechner ist keine sichere Verbindung möglich: TLS ließ sich nicht einrichten.",
  "language-model-unreachable":
    "Dein Sprachmodell ist nicht erreichbar. Prüfe, ob sein Server läuft und ob die Adresse in den Einstellungen stimmt.",
  "language-model-silent":
    "Dein Sprachmodell war nach {{seconds}} Sekunden nicht fertig. Versuch es noch einmal oder erhöhe sein Zeitlimit in den Einstellungen.",
  "language-model-redirects":
    "Der Server deines Sprachmodells leitet an eine andere Adresse weiter. Weiterleitungen folgt Limber nicht. Gib die andere Adresse ein.",
  "language-model-rejects-key":
    "Der Server deines Sprachmodells lehnt den Schlüssel ab. Prüfe ihn in den Einstellungen.",
  "language-model-unknown":
    "Der Server kennt dieses Modell oder diese Adresse nicht. Prüfe beides in den Einstellungen.",
  "language-model-busy": "Der Server deines Sprachmodells ist gerade überlastet. Versuch es gleich noch einmal.",
  "language-model-refuses": "Der Server deines Sprachmodells lehnt die Anfrage ab (Status {{status}}).",
  "language-model-fails":
    "Der Server deines Sprachmodells hat ein Problem (Status {{status}}). Versuch es gleich noch einmal.",
  "language-model-too-long":
    "Die Antwort deines Sprachmodells ist länger als {{mostKib}} KiB und wurde nicht gelesen. Versuch es noch einmal oder mit einem anderen Modell.",
  "no-language-model-server":
    "Der Server unterstützt das Chat-Completions-Protokoll nicht. Prüfe die Adresse; oft endet sie auf /v1.",
  "language-model-no-words":
    "Dein Sprachmodell hat eine leere Antwort geliefert. Versuch es noch einmal oder mit einem anderen Modell.",
  "language-model-no-script":
    "Dein Sprachmodell hat kein brauchbares Skript geliefert: {{fault}}. Versuch es noch einmal oder mit einem anderen Modell; bis dahin liest Limber den Prompt selbst.",

  // the account
  "factor-not-askable":
    "Dieses Konto ist durch einen zweiten Faktor geschützt, den Limber nicht abfragen kann. Melde dich im Web an und füge eine Authenticator-App hinzu.",
  "not-of-account": "Das gehört nicht mehr zu deinem Konto.",
  "no-authenticator-details":
    "Der Kontodienst hat keine Daten für die Authenticator-App geliefert. Versuche es noch einmal.",
  "signed-out": "Du bist abgemeldet. Melde dich an, um fortzufahren.",
  "session-ended":
    "Deine Sitzung ist beendet: Du wurdest auf einem anderen Gerät abgemeldet, oder sie ist abgelaufen. Melde dich an, um fortzufahren. Deine Clips sind noch da.",
  "sign-in-failed": "Die Anmeldung ist fehlgeschlagen. Beginne sie hier noch einmal.",
  "sign-in-refused-elsewhere": "{{said}} Beginne die Anmeldung hier noch einmal.",
  "wrong-credentials": "Die E-Mail-Adresse oder das Passwort stimmt nicht. Prüfe beides, oder erstelle ein Konto.",
  "address-not-confirmed":
    "Diese Adresse ist noch nicht bestätigt. Öffne den Link in der E-Mail, die wir gesendet haben, und melde dich dann an.",
  "link-or-code-spent":
    "Dieser Link oder Code ist falsch, schon benutzt oder abgelaufen. Fordere einen neuen an.",
  "no-such-account": "Unter dieser Adresse gibt es hier kein Konto. Prüfe sie, oder erstelle ein Konto.",
  "invitation-only": "Dieses Studio vergibt Konten nur auf Einladung. Bitte seinen Betreiber um eine.",
  "account-blocked": "Dieses Konto ist gesperrt. Wende dich an den Betreiber des Studios.",
  "address-taken": "Diese Adresse gehört zu einem anderen Konto. Melde dich damit an, oder nimm eine andere Adresse.",
  "number-taken": "Diese Nummer gehört zu einem anderen Konto. Melde dich damit an, oder nimm eine andere Nummer.",
  "same-password": "Das ist schon dein Passwort. Wähle ein anderes.",
  "wrong-current-password": "Dein aktuelles Passwort ist falsch. Versuche es noch einmal.",
  "password-code-spent":
    "Dieser Code ist falsch oder abgelaufen. Ändere das Passwort noch einmal, um einen neuen zu bekommen.",
  "sign-in-over": "Diese Anmeldung hat zu lange gedauert oder war schon fertig. Beginne sie hier noch einmal.",
  "address-not-vouched-for":
    "Der andere Dienst hat deine Adresse nicht bestätigt. Öffne den Link in der E-Mail, die wir gesendet haben, und melde dich dann noch einmal an.",
  "linking-off": "Dieses Studio erlaubt keine verknüpften Konten. Bitte seinen Betreiber, sie zu aktivieren.",
  "already-linked":
    "Das Konto beim anderen Dienst ist schon verknüpft, mit diesem oder einem anderen Limber-Konto. Melde dich stattdessen damit an.",
  "only-way-in": "Das ist die einzige Anmeldemethode deines Kontos. Füge eine andere hinzu, bevor du sie entfernst.",
  "text-not-sent": "Die SMS konnte nicht verschickt werden. Prüfe die Nummer und versuche es noch einmal.",
  "wrong-code": "Dieser Code ist falsch. Warte auf den nächsten und versuche es noch einmal.",
  "code-too-late": "Dieser Code ist abgelaufen. Gib den nächsten ein.",
  "not-newest-code":
    "Dieser Code ist nicht der aus der neuesten Nachricht. Prüfe ihn, oder fordere einen neuen an.",
  "texted-code-too-late": "Dieser Code ist abgelaufen. Fordere einen neuen an.",
  "texted-code-spent":
    "Dieser Code wurde schon benutzt oder aus einem anderen Netz angefordert. Fordere einen neuen an.",
  "nothing-texted": "Limber wartet nicht mehr auf einen Code von diesem Telefon. Fordere einen neuen an.",
  "no-factor-codes":
    "Dieses Studio verschickt keine Codes für zweite Faktoren mehr. Wende dich an seinen Betreiber.",
  "factor-wanted":
    "Dein Konto ist durch einen zweiten Faktor geschützt. Melde dich ab, melde dich mit seinem Code an und versuche es noch einmal.",
  "no-phone-factors": "Dieses Studio erlaubt keine Telefone als zweite Faktoren. Verwende eine Authenticator-App.",
  "number-protects-already": "Diese Nummer schützt dein Konto schon. Nimm eine andere Nummer.",
  "most-factors": "Dein Konto hat so viele zweite Faktoren, wie dieses Studio erlaubt. Entferne erst einen.",
  "page-not-on-the-web":
    "Der Kontodienst hat eine Adresse geliefert, die keine Webseite ist. Wende dich an seinen Betreiber.",
  "other-accounts-link":
    "Dieser Link gehört zu einem anderen Konto als dem angemeldeten. Melde dich erst ab und öffne ihn dann noch einmal.",
  "invitation-pending":
    "Limber fragt schon nach einer anderen Einladung. Beantworte zuerst diese Frage, und öffne dann den Link noch einmal.",
  "unexpected-link":
    "Dieser Link gehört zu keiner Anmeldung, die hier begonnen wurde: Er ist abgelaufen, wurde schon benutzt oder kommt von anderswo. Nichts wurde geändert. Beginne die Anmeldung noch einmal.",
  "number-without-country": "Gib die Nummer mit Ländervorwahl ein, zum Beispiel +49 170 1234567.",
  "code-has-six-digits": "Ein Code hat sechs Ziffern. Gib sie so ein, wie sie angezeigt werden.",
  "link-elsewhere": "Dieser Link führt nicht zu Limber. Öffne den Link in der neuesten E-Mail.",
  "no-browser":
    "Limber hat keinen Browser gefunden. Installiere einen, oder melde dich anders an.",
  "mail-gone": "Diese E-Mail ist nicht mehr auf diesem Rechner.",
  "mail-unreadable": "Die E-Mail konnte nicht gelesen werden. Versuche es noch einmal.",

  // services
  "account-service-unreachable":
    "Der Kontodienst ist nicht erreichbar. Prüfe die Netzverbindung und die Adresse des Servers.",
  "account-service-silent": "Der Kontodienst hat nicht rechtzeitig geantwortet. Versuche es gleich noch einmal.",
  "account-service-busy": "Der Kontodienst ist gerade überlastet. Versuche es gleich noch einmal.",
  "account-service-refuses": "Der Kontodienst hat die Anfrage abgelehnt.",
  "account-service-fails": "Der Kontodienst hat eine Störung (Status {{status}}). Versuche es gleich noch einmal.",
  "no-account-service":
    "Limber konnte die Antwort nicht lesen ({{what}}). Prüfe, ob die Adresse zu einem Kontodienst gehört.",
  "account-service-address":
    "Die Adresse des Kontodienstes muss mit http:// oder https:// beginnen. Berichtige sie in den Einstellungen.",
  "account-service-unencrypted":
    "Die Adresse des Kontodienstes beginnt mit http://; andere im Netz könnten Passwörter und Tokens mitlesen. Verwende https:// oder erlaube es für diesen Server in den Einstellungen.",
  "no-tls": "Auf diesem Rechner ist keine sichere Verbindung möglich: TLS ließ sich nicht einrichten.",
  "motion-service-unreachable":
    "Der Motion-Dienst ist nicht erreichbar; prüfe, ob er läuft und ob seine Adresse stimmt.",
  "motion-service-silent": "Der Motion-Dienst hat zu lange gebraucht; versuche es gleich noch einmal.",
  "motion-service-rejects-client":
    "Der Motion-Dienst weist Client-ID und Client-Secret zurück; prüfe beides in den Einstellungen.",
  "motion-service-busy": "Der Motion-Dienst ist gerade überlastet; versuche es gleich noch einmal.",
  "motion-service-fails": "Der Motion-Dienst hat eine Störung (Status {{status}}); versuche es gleich noch einmal.",
  "no-motion-service": "Die Antwort (Status {{status}}) stammt nicht von einem Motion-Dienst; prüfe die Adresse.",
  "no-motion-service-version": "Die Antwort stammt nicht von einem Motion-Dienst; prüfe die Adresse und seine Version.",
  "motion-service-address":
    "Die Adresse des Motion-Dienstes ist keine Webadresse; sie sieht aus wie https://studio.example.",
  "motion-service-unencrypted":
    "Die Adresse des Motion-Dienstes beginnt mit http://; andere im Netz könnten das Client-Secret mitlesen. Verwende https:// oder erlaube es für diesen Server in den Einstellungen.",
  "unencrypted-link":
    "Der Server nannte eine Adresse, auf der andere mitlesen könnten; bitte seinen Betreiber um https oder erlaube in den Einstellungen unverschlüsselte Verbindungen zu ihm.",
  "file-too-large": "Die Datei ist größer als die erlaubten {{mostMib}} MiB.",
  "file-arrived-damaged": "Die heruntergeladene Datei ist beschädigt; lade sie noch einmal herunter.",
  "identity-service-answers": "Der Kontodienst antwortet.",
  "motion-service-answers": "Der Motion-Dienst antwortet und akzeptiert Client-ID und Client-Secret.",
  "client-id-missing": "Die Client-ID fehlt. Der Betreiber deines Studios hat sie dir mit dem Client-Secret gegeben.",
  "keychain-locked-for-server":
    "Der Schlüsselbund dieses Rechners ist gesperrt, und in ihm liegt das Client-Secret deines Servers. Entsperre ihn und versuch es noch einmal.",
  "keychain-locked":
    "Der Schlüsselbund dieses Rechners ist gesperrt; deshalb weiß Limber nicht, wer angemeldet war. Entsperre ihn und starte Limber neu, oder melde dich an. Deine Clips sind noch da.",
  "folder-not-closed":
    "Limber darf in seinem Datenordner nicht schreiben oder ihn nicht vor anderen schützen. Wähle einen Ordner, der deinem Benutzerkonto gehört, und setze LIMBER_DATA beim Start von Limber darauf.",
  "secret-unknown":
    "Das Client-Secret deines Servers ist auf diesem Rechner nicht gespeichert. Gib es in den Einstellungen ein.",
  "no-web-address": "{{service}}: Die Adresse ist keine Webadresse. Sie muss aussehen wie https://studio.example.",
  "unencrypted-address":
    "{{service}}: Die Adresse beginnt mit http://; andere im Netz könnten Passwörter und Tokens mitlesen. Verwende https:// oder erlaube unverschlüsselte Verbindungen zu diesem Server.",
  "skeletons-unavailable": "Dieser Server liefert keine Skelette. Bitte seinen Betreiber, eine neuere Version zu installieren.",
  "nothing-said": "Ein Fehler ist aufgetreten; die Ursache ist unbekannt.",

  // the studio on this computer
  "studio-starting": "Das Studio startet noch. Versuche es wieder, wenn es bereit ist.",
  "folder-not-writable":
    "Limber darf in seinem Datenordner nicht schreiben. Gib deinem Benutzerkonto Schreibrechte, oder setze LIMBER_DATA beim Start von Limber auf einen anderen Ordner.",
  "no-room-for-studio": "Die Festplatte ist voll. Schaffe mindestens 300 MB Platz und versuche es noch einmal.",
  "already-open": "Limber läuft schon mit diesem Datenordner. Benutze sein Fenster, oder schließe es erst.",
  "database-version":
    "Dein Studio wurde mit PostgreSQL {{version}} erstellt, das hier nicht installiert ist. Installiere das Paket `postgresql-{{version}}` und versuche es noch einmal. Nichts wurde geändert; deine Clips sind sicher.",
  "database-missing": "PostgreSQL fehlt. Installiere das Paket `postgresql` und versuche es noch einmal.",
  "database-offline":
    "PostgreSQL ist nicht installiert und konnte nicht heruntergeladen werden. Verbinde den Rechner mit dem Internet und versuche es noch einmal, oder installiere PostgreSQL selbst.",
  "database-download":
    "Die heruntergeladene Datei ist nicht das PostgreSQL, das Limber erwartet, und wurde gelöscht. Versuche es später noch einmal, oder installiere PostgreSQL selbst.",
  "database-not-started":
    "Die Datenbank konnte nicht starten. Versuche es noch einmal; hilft das nicht, starte den Rechner neu.",
  "part-not-started":
    "Start fehlgeschlagen: {{part}}. Versuche es noch einmal; das Protokoll in Limbers Ordner sagt, warum.",
  "computer-refuses":
    "Das System hat eine Anfrage des Studios abgelehnt: {{why}}. Versuche es noch einmal, oder starte den Rechner neu.",

  // the disk
  "disk-full": "Die Festplatte ist voll; es gelang nicht, {{doing}}. Schaffe etwas Platz und versuche es noch einmal.",
  "no-right-to-write": "Limber darf dort nicht schreiben; es gelang nicht, {{doing}}. Wähle einen anderen Ordner.",
  "disk-refuses": "Ein Festplattenfehler ist aufgetreten; es gelang nicht, {{doing}}. Prüfe die Festplatte und versuche es noch einmal.",
  "disk-work-stopped": "Ein Festplattenzugriff ist fehlgeschlagen. Nichts ging verloren; versuche es noch einmal.",

  // prompts and jobs
  dearer:
    "Das kostet {{price}} Credits. Noch wurde nichts abgebucht. Klicke zur Bestätigung noch einmal.",
  "no-prompt": "Beschreibe auf Englisch, was der Charakter tun soll, zum Beispiel „walks, then waves“.",
  "prompt-too-long": "Der Prompt ist länger als {{most}} Zeichen. Kürze ihn.",
  variants: "Wähle 1 bis {{most}} Varianten.",
  "no-character": "Wähle einen Charakter für diesen Prompt.",
  "no-seed": "Ein Seed ist eine ganze Zahl unter 18 446 744 073 709 551 616.",
  "changed-steps": "Limber kann die geänderten Schritte nicht lesen ({{why}}). Mach die Änderungen rückgängig.",
  "job-unknown": "Diesen Job gibt es nicht mehr.",
  "job-files-gone": "Das Studio hat die Dateien dieses Jobs gelöscht, bevor Limber sie herunterladen konnte. Starte ihn noch einmal.",
  "job-unknown-to-studio": "Das Studio hat diesen Job nicht mehr. Starte ihn noch einmal.",
  "job-forgotten": "Limber hat die Einstellungen dieses Jobs nicht mehr. Starte einen neuen.",
  "prompts-too-long": "Diese Prompts sind zu lang zum Speichern. Kürze sie.",

  // clips and edits
  "clip-unknown": "Dieser Clip ist nicht in der Bibliothek.",
  "clip-gone": "Dieser Clip ist nicht mehr in der Bibliothek.",
  "clip-deleted": "Dieser Clip wurde endgültig gelöscht.",
  "no-such-file": "Dieser Clip hat keine Datei der Art {{kind}}.",
  "clip-damaged":
    "Die Datei dieses Clips wurde auf der Festplatte verändert oder beschädigt. Generiere den Clip mit demselben Prompt und Seed noch einmal, dann ist er wieder da.",
  "no-picture-of-clip": "Das Bild dieses Clips ist ungültig.",
  "clip-not-drawn": "Dieser Rechner konnte das Bild nicht rendern. Der Clip selbst ist nicht betroffen.",
  "clip-not-in-studio":
    "Das aktuelle Studio hat diesen Clip nicht und kann ihn daher nicht bearbeiten. Generiere ihn mit demselben Prompt und Seed noch einmal, oder wechsle zu dem Studio, das ihn erstellt hat.",
  "not-correctable":
    "Dieser Clip stammt aus einer Version von Limber, die seine Bewegung nicht gespeichert hat; er lässt sich nicht korrigieren. Generiere ihn mit demselben Prompt und Seed noch einmal.",
  "corrections-do-not-fit": "Die Korrekturen passen nicht zu diesem Clip: {{why}}.",
  "too-short-to-loop":
    "Ein Teil aus weniger als zwei Frames kann nicht geloopt werden. Zieh die Trim-Griffe auseinander.",
  "clip-not-measured":
    "Dieser Clip lässt sich nicht messen: Seine Bewegung ist nicht lesbar. Generiere ihn noch einmal mit demselben Prompt und Seed.",
  "overlap-has-one-result": "Eine Überlappung hat nur ein Ergebnis.",
  "overlap-length": "Wähle eine Überlappung von 2 Frames bis 5 Sekunden.",
  "overlap-too-long": "Die Überlappung ist länger als einer der Clips. Verkürze sie, oder schneide weniger weg.",
  "nothing-left": "Vom Clip bliebe nichts übrig. Zieh die Trim-Griffe auseinander.",
  "cut-has-one-result": "Zuschneiden hat nur ein Ergebnis.",
  "no-painted-prompt": "Gib einen Prompt für den markierten Bereich ein.",
  "no-second-clip": "Wähle den nächsten Clip aus.",
  rounds: "Ein Clip kann 1- bis {{most}}-mal geloopt werden.",
  "how-different": "Wähle eine Abweichung von 0 bis 1.",
  "bridge-length": "Wähle für die Überleitung eine Länge von 0 bis 10 Sekunden.",
  "nothing-painted": "Markiere den Teil des Clips, der neu generiert werden soll.",
  "painted-outside": "Ein markierter Bereich liegt außerhalb des zugeschnittenen Clips. Schiebe ihn hinein.",
  "tag-length": "Ein Tag hat 1 bis {{most}} Zeichen.",
  "name-length": "Ein Name hat höchstens {{most}} Zeichen.",
  "most-tags": "Ein Clip hat höchstens {{most}} Tags. Entferne zuerst einen.",

  // exports, videos and the viewer
  "place-forgotten": "Limber weiß nicht mehr, wo das gespeichert wurde. Speichere es noch einmal.",
  "no-program": "Wähle mindestens ein Programm, für das exportiert wird.",
  "how-many-to-export": "Wähle 1 bis {{most}} Clips für den Export.",
  "not-exportable":
    "Dieser Clip wurde mit einer Version von Limber erstellt, die keine Daten für Exporte gespeichert hat. Speichere ihn auf seiner Karte als GLB, FBX oder BVH, oder generiere ihn noch einmal.",
  "character-unreadable":
    "Der Charakter dieses Clips ist nicht mehr lesbar. Generiere den Clip mit demselben Prompt und Seed noch einmal.",
  "file-not-made": "Die Datei konnte nicht erstellt werden: {{why}}.",
  "folder-gone":
    "Den Ordner gibt es nicht mehr. Stelle ihn wieder her oder wähle einen anderen, und exportiere dann noch einmal.",
  "video-removed": "Das Studio hat dieses Video gelöscht, bevor Limber es herunterladen konnte. Rendere es noch einmal.",
  "video-stays": "{{why}} Bis dahin liegt das Video in Limbers Ordner, unter films.",
  "no-colour": "Gib eine Farbe als #rrggbb ein, zum Beispiel #8fb8ff.",
  "video-preview-not-rendered": "Dieser Rechner konnte die Vorschau nicht rendern. Das Rendern des Videos gelingt vielleicht trotzdem.",
  "video-source-gone": "Das aktuelle Studio hat diesen Clip nicht mehr. Generiere ihn noch einmal und rendere ihn dann.",
  "not-handed-over":
    "Der Desktop hat die Übergabe des Clips nicht zugelassen. Speichere ihn und öffne ihn im anderen Programm.",
  "no-file-manager":
    "Limber hat keinen Dateimanager gefunden. Öffne den Ordner, in dem du die Datei gespeichert hast, selbst.",
  "how-many-to-play": "Wähle 1 bis {{most}} Clips zum Abspielen.",
  "nothing-to-play": "Wähle zum Abspielen einen Teil, der mindestens einen Frame hat.",
  "viewer-not-opened":
    "Der Viewer konnte sein Fenster nicht öffnen. Aktualisiere den Grafiktreiber, oder speichere den Clip und öffne ihn in einem anderen Programm.",

  // characters
  "long-name": "Ein Name hat 1 bis {{most}} Zeichen.",
  "character-gone": "Dieser Charakter ist nicht mehr im Studio, oder du darfst ihn nicht ändern.",
  "upload-stalled": "Der Upload kam zehn Minuten lang nicht voran. Prüfe die Verbindung und setze ihn dann fort.",
  "uploaded-file-gone":
    "Die Datei liegt nicht mehr, wo sie war. Leg sie zurück und versuche es noch einmal, oder füge sie neu hinzu.",
  "uploaded-file-closed":
    "Die Datei ist nicht lesbar. Prüfe, ob du sie öffnen darfst, und versuche es dann noch einmal.",
  "character-file-unreadable": "Die Datei ist nicht lesbar. Prüfe, ob sie da ist und ob du sie öffnen darfst.",
  "character-formats": "Charaktere müssen FBX-, GLB-, glTF- oder VRM-Dateien sein. Exportiere deinen Charakter in einem dieser Formate.",
  "character-file-empty": "Die Datei ist leer. Exportiere den Charakter noch einmal.",
  "most-uploads": "Die Liste fasst höchstens {{most}} Uploads. Entferne zuerst beendete.",
  "upload-gone": "Dieser Upload ist nicht mehr in der Liste.",
  "upload-cancelled": "Der Upload wurde abgebrochen.",
  "upload-restless":
    "Der Upload musste zu oft neu beginnen; prüfe, ob noch ein Programm die Datei schreibt, und versuche es dann noch einmal.",

  // names of actions and services, inserted into the messages above
  "bring-back-clip": "den Clip wiederherzustellen",
  "copy-clip": "den Clip zu kopieren",
  "delete-clip": "den Clip zu löschen",
  "empty-bin": "den Papierkorb zu leeren",
  "keep-clip": "den Clip abzulegen",
  "keep-settings": "die Einstellungen zu speichern",
  "keep-corrections": "die Korrekturen zu speichern",
  "keep-draft": "deinen Entwurf zu speichern",
  "keep-name": "den Namen zu speichern",
  "keep-tag": "den Tag zu speichern",
  "note-job": "den Job zu speichern",
  "note-upload": "den Upload zu speichern",
  "pack-character": "den Charakter zu packen",
  "read-clip": "den Clip zu lesen",
  "read-mail": "die E-Mail zu lesen",
  "save-clip": "den Clip zu speichern",
  "save-diagnostics": "die Diagnose zu speichern",
  "save-video": "das Video dort zu speichern",
  "write-file": "die Datei zu schreiben",
  "identity-service": "Kontodienst",
  "motion-service": "Motion-Dienst",
};

/** Terms that occur as arguments, from a fixed list. */
export const terms: Readonly<Record<string, string>> = {
  steps: "Schritte",
  metres: "Meter",
  seconds: "Sekunden",
  frames: "Frames",
  left: "linke",
  right: "rechte",
  first: "nur das erste wird ausgeführt",
  second: "nur das zweite wird ausgeführt",
  "in-turn": "sie werden nacheinander ausgeführt",
  "no-take": "die Bewegungsbibliothek enthält keine Aufnahme davon",
  together: "Aufnahmen zeigen immer nur eine Aktion auf einmal",
  posture: "Aufnahmen werden nur für Bewegungen im Stehen verwendet",
  ends: "der Clip beginnt oder endet mitten darin",
  details: "so zeigt die Bibliothek es nicht",
  side: "die Bibliothek zeigt es nur mit der anderen Seite",
  direction: "die Bibliothek zeigt es nur in eine andere Richtung",
  style: "die Bibliothek zeigt es nur in einem anderen Stil oder Tempo",
  count: "so oft hintereinander zeigt die Bibliothek es nicht",
  length: "die Aufnahmen sind zu lang oder zu kurz",
  unlike: "in der Aufnahme war es nicht deutlich genug zu sehen",
  unclean: "die Aufnahme hätte sich hier nicht sauber einfügen lassen",
  damaged: "die Bewegungsbibliothek war nicht lesbar; füge ihren Ordner noch einmal hinzu",
};
