/**
 * What is told by the app and its services, in German, by its code. `{{name}}` stands for what goes in; what
 * stands in double brackets is left out where there is nothing to go in. `messages.test.ts` knows which codes
 * there are.
 */
export const messages: Readonly<Record<string, string>> = {
  // prompts, scripts and jobs, as readers, engines and services tell of them
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
    "events[{{event}}]: „{{action}}“ bleibt weg; die Beine tun zu dieser Zeit etwas anderes.",
  "left-out":
    "[[events[{{event}}]: ]]„{{field}}“[[ von „{{action}}“]] bleibt weg; Limber kann es noch nicht ausführen.",
  "number-out-of-range": "„{{words}}“ bleibt weg: Das ist mehr oder weniger, als Limber kann.",
  contradiction: "[[events[{{event}}]: ]]„{{first}}“ und „{{second}}“ widersprechen sich; {{kept}}.",
  negated: "„{{action}}“ bleibt weg, weil der Prompt es ausschließt.",
  "one-person": "Limber bewegt eine Person; nur eine wurde gemacht.",
  "on-the-spot":
    "Limber kann noch nicht auf der Stelle gehen oder laufen; die Person kommt voran. Schalte „am Ort“ ein, um den Weg herauszunehmen.",
  "same-body-part": "„{{first}}“ und „{{second}}“ brauchen denselben Körperteil; eins folgt dem anderen.",
  "nothing-meanwhile": "Zur gleichen Zeit war nichts zu tun.",
  "most-actions": "Ein Prompt fasst {{most}} Aktionen; der Rest wurde ausgelassen.",
  "most-repetitions": "Limber wiederholt eine Aktion höchstens {{most}}-mal („{{action}}“).",
  "most-turns": "Limber dreht sich höchstens zehnmal um sich selbst.",
  "most-of-one": "Eine Aktion geht über höchstens {{most}} {{measure}} („{{action}}“).",
  "only-beginning":
    "In {{wantedMs}} Sekunden passt nur der Anfang von dem, was verlangt ist; alles dauert etwa {{wholeMs}}.",
  "too-short":
    "{{wantedMs}} Sekunden sind zu kurz für diese Aktionen, die etwa {{usualS}} brauchen. Verlange mindestens {{enoughMs}} Sekunden oder weniger Aktionen.",
  "too-long": "Alles zusammen dauert etwa {{wholeS}} Sekunden, ein Clip höchstens {{mostS}}. Lass etwas weg.",
  "clip-length": "Ein Clip dauert {{leastMs}} bis {{mostMs}} Sekunden. Wähle eine Zeit dazwischen.",
  "empty-script": "Im Skript steht kein Schritt.",
  "all-made-anew": "Der ganze Clip ist bemalt, also wird alles neu gemacht.",
  "unknown-parameter": "Unbekannter Parameter: {{name}}.",
  "meaningless-parameter": "{{name}} bedeutet neben {{beside}} nichts.",
  "fbx-skipped": "FBX ist verlangt und ausgeschlossen; der Auftrag hinterlässt BVH und GLB.",
  "no-floor-for-shadow": "Ein flacher Hintergrund hat keinen Boden, darum fällt der Schatten weg.",
  "one-rerun": "Noch einmal gemacht ist die Bewegung dieselbe, darum gibt es eine Variante.",
  "one-overlap": "Eine Überlappung erfindet nichts, darum gibt es eine Variante.",
  "unit-guessed":
    "Die Enden der Intervalle sind ganze Zahlen und wurden als {{readAs}} gelesen; sag mit „unit“, wenn sie anders gemeint sind.",
  "source-removed": "Der Clip {{clip}}, mit dem der Auftrag beginnt, wurde entfernt.",
  "source-unreadable":
    "Der Clip {{clip}}, mit dem der Auftrag beginnt, ist nicht lesbar. Mach seinen Auftrag noch einmal.",
  "filmed-clip-removed": "Die Dateien von {{clip}} wurden entfernt. Mach diese Bewegung noch einmal.",
  "filmed-clip-unreadable": "Die Datei von {{clip}} ist nicht lesbar. Mach diese Bewegung noch einmal.",

  // a language model of somebody's own
  "language-model-address":
    "Die Adresse des Sprachmodells ist keine Webadresse. Sie sieht aus wie http://localhost:11434/v1.",
  "language-model-unencrypted":
    "Die Adresse des Sprachmodells beginnt mit http://; auf dem Weg könnte jeder Prompts und Schlüssel mitlesen. Nimm https:// oder erlaube unverschlüsselte Verbindungen zu diesem Server.",
  "language-model-name": "Schreib den Namen des Modells so, wie sein Server es nennt, mit 1 bis {{most}} Zeichen.",
  "language-model-limit": "Wähle eine Zeitgrenze von {{least}} bis {{most}} Sekunden.",
  "language-model-key":
    "Ein Schlüssel hat nur Buchstaben, Ziffern und Zeichen ohne Akzente und höchstens {{most}} davon. Kopiere ihn noch einmal.",
  "language-model-missing": "Es ist kein Sprachmodell verbunden. Verbinde eins in den Einstellungen.",
  "language-model-key-gone":
    "Der Schlüssel deines Sprachmodells liegt nicht im Schlüsselbund dieses Rechners, oder der ist gesperrt. Entsperre ihn oder gib den Schlüssel in den Einstellungen noch einmal ein.",
  "language-model-no-tls": "Auf diesem Rechner gelingt keine sichere Verbindung: TLS ließ sich nicht einrichten.",
  "language-model-unreachable":
    "Dein Sprachmodell ist nicht erreichbar. Prüfe, ob sein Server läuft, und seine Adresse in den Einstellungen.",
  "language-model-silent":
    "Dein Sprachmodell war nach {{seconds}} Sekunden nicht fertig. Versuch es noch einmal oder erhöhe seine Zeitgrenze in den Einstellungen.",
  "language-model-redirects":
    "Der Server deines Sprachmodells schickt anderswohin, und dem folgt Limber nicht. Trag die Adresse ein, zu der er schickt.",
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
    "Was dort antwortet, spricht das Chat-Completions-Protokoll nicht. Prüfe die Adresse; oft endet sie auf /v1.",
  "language-model-no-words":
    "Dein Sprachmodell hat ohne Worte geantwortet. Versuch es noch einmal oder mit einem anderen Modell.",
  "language-model-no-script":
    "Dein Sprachmodell hat kein brauchbares Skript geantwortet: {{fault}}. Versuch es noch einmal oder mit einem anderen Modell; bis dahin liest Limber den Prompt selbst.",

  // the account
  "factor-not-askable":
    "Dieses Konto ist durch einen Faktor geschützt, nach dem Limber nicht fragen kann. Melde dich im Web an und füge eine Authenticator-App hinzu.",
  "not-of-account": "Das gehört nicht mehr zu deinem Konto.",
  "no-authenticator-details":
    "Der Kontodienst hat nicht gesagt, was der Authenticator braucht. Versuche es noch einmal.",
  "signed-out": "Du bist abgemeldet. Melde dich an, um weiterzumachen.",
  "session-ended":
    "Deine Sitzung ist zu Ende: Du wurdest anderswo abgemeldet, oder sie wurde zu alt. Melde dich an, um weiterzumachen. Was du gemacht hast, ist noch da.",
  "sign-in-failed": "Die Anmeldung hat nicht geklappt. Beginne sie hier noch einmal.",
  "sign-in-refused-elsewhere": "{{said}} Beginne die Anmeldung hier noch einmal.",
  "wrong-credentials": "Die E-Mail-Adresse oder das Passwort stimmt nicht. Prüfe beides, oder lege ein Konto an.",
  "address-not-confirmed":
    "Diese Adresse ist noch nicht bestätigt. Öffne den Link in der Mail, die wir geschickt haben, und melde dich dann an.",
  "link-or-code-spent":
    "Dieser Link oder Code stimmt nicht, wurde schon benutzt oder ist zu alt. Lass dir einen neuen schicken.",
  "no-such-account": "Unter dieser Adresse gibt es hier kein Konto. Prüfe sie, oder lege ein Konto an.",
  "invitation-only": "Dieses Studio vergibt Konten nur auf Einladung. Bitte seinen Betreiber um eine.",
  "account-blocked": "Dieses Konto ist gesperrt. Wende dich an den Betreiber des Studios.",
  "address-taken": "Diese Adresse gehört zu einem anderen Konto. Melde dich damit an, oder nimm eine andere Adresse.",
  "number-taken": "Diese Nummer gehört zu einem anderen Konto. Melde dich damit an, oder nimm eine andere Nummer.",
  "same-password": "Das ist schon dein Passwort. Wähle ein anderes.",
  "wrong-current-password": "Dein jetziges Passwort ist ein anderes. Versuche es noch einmal.",
  "password-code-spent":
    "Dieser Code stimmt nicht oder ist zu alt. Ändere das Passwort noch einmal, um einen neuen zu bekommen.",
  "sign-in-over": "Diese Anmeldung hat zu lange gedauert oder war schon fertig. Beginne sie hier noch einmal.",
  "address-not-vouched-for":
    "Der andere Dienst bürgt nicht für deine Adresse. Öffne den Link in der Mail, die wir geschickt haben, und melde dich dann noch einmal an.",
  "linking-off": "Dieses Studio lässt Konten nicht verbinden. Bitte seinen Betreiber, es einzuschalten.",
  "already-linked":
    "Jenes Konto ist schon verbunden, mit diesem Konto oder einem anderen. Melde dich stattdessen damit an.",
  "only-way-in": "Das ist der einzige Weg in dein Konto. Füge einen anderen hinzu, bevor du ihn entfernst.",
  "text-not-sent": "Die SMS konnte nicht verschickt werden. Prüfe die Nummer und versuche es noch einmal.",
  "wrong-code": "Dieser Code stimmt nicht. Warte auf den nächsten und versuche es noch einmal.",
  "code-too-late": "Dieser Code kam zu spät. Schreibe den nächsten.",
  "not-newest-code":
    "Dieser Code ist nicht der aus der neuesten Nachricht. Prüfe ihn, oder lass dir einen neuen schicken.",
  "texted-code-too-late": "Dieser Code kam zu spät. Lass dir einen neuen schicken.",
  "texted-code-spent":
    "Dieser Code wurde schon benutzt oder aus einem anderen Netz angefordert. Lass dir einen neuen schicken.",
  "nothing-texted": "Limber wartet auf keinen Code dieses Telefons mehr. Lass dir einen neuen schicken.",
  "no-factor-codes":
    "Dieses Studio verschickt keine Codes für zweite Faktoren mehr. Bitte seinen Betreiber, dich hineinzulassen.",
  "factor-wanted":
    "Dein Konto ist durch einen zweiten Faktor geschützt. Melde dich ab, melde dich mit seinem Code an und versuche es noch einmal.",
  "no-phone-factors": "Dieses Studio nimmt keine Telefone als zweite Faktoren. Nimm eine Authenticator-App.",
  "number-protects-already": "Diese Nummer schützt dein Konto schon. Nimm eine andere Nummer.",
  "most-factors": "Dein Konto hat so viele zweite Faktoren, wie dieses Studio erlaubt. Entferne erst einen.",
  "page-not-on-the-web":
    "Der Kontodienst hat eine Seite genannt, die nicht im Web liegt. Wende dich an seinen Betreiber.",
  "other-accounts-link":
    "Dieser Link gehört zu einem anderen Konto als dem angemeldeten. Melde dich erst ab und öffne ihn dann noch einmal.",
  "invitation-pending":
    "Limber fragt schon nach einer anderen Einladung. Beantworte zuerst diese Frage, und öffne dann den Link noch einmal.",
  "unexpected-link":
    "Dieser Link gehört zu keiner Anmeldung, die hier begonnen wurde: Er ist zu alt, wurde schon benutzt oder kommt von anderswo. Nichts wurde geändert. Beginne die Anmeldung noch einmal.",
  "number-without-country": "Schreibe die Nummer mit ihrem Land, etwa +49 170 1234567.",
  "code-has-six-digits": "Ein Code hat sechs Ziffern. Schreibe sie so, wie sie angezeigt werden.",
  "link-elsewhere": "Dieser Link führt nicht zu Limber. Öffne den Link der neuesten Mail.",
  "no-browser":
    "Dieser Desktop hat keinen Browser, den Limber öffnen kann. Installiere einen, oder melde dich anders an.",
  "mail-gone": "Diese Mail liegt nicht mehr auf diesem Rechner.",
  "mail-unreadable": "Die Mail konnte nicht gelesen werden. Versuche es noch einmal.",

  // services
  "account-service-unreachable":
    "Der Kontodienst ist nicht zu erreichen. Prüfe die Netzverbindung und die Adresse des Servers.",
  "account-service-silent": "Der Kontodienst hat nicht rechtzeitig geantwortet. Versuche es gleich noch einmal.",
  "account-service-busy": "Der Kontodienst ist gerade überlastet. Versuche es gleich noch einmal.",
  "account-service-refuses": "Der Kontodienst hat die Anfrage abgelehnt.",
  "account-service-fails": "Der Kontodienst hat eine Störung (Status {{status}}). Versuche es gleich noch einmal.",
  "no-account-service":
    "Die Antwort war nicht zu verstehen ({{what}}). Prüfe, ob die Adresse zu einem Kontodienst gehört.",
  "account-service-address":
    "Die Adresse des Kontodienstes muss mit http:// oder https:// beginnen. Berichtige sie in den Einstellungen.",
  "account-service-unencrypted":
    "Die Adresse des Kontodienstes beginnt mit http://; auf dem Weg könnte jeder Passwörter und Tokens mitlesen. Nimm https:// oder erlaube es für diesen Server in den Einstellungen.",
  "no-tls": "Auf diesem Rechner ist keine sichere Verbindung möglich: Die Einrichtung von TLS ist gescheitert.",
  "motion-service-unreachable":
    "Der Bewegungsdienst ist nicht zu erreichen; prüfe, ob er läuft und ob seine Adresse stimmt.",
  "motion-service-silent": "Der Bewegungsdienst hat zu lange gebraucht; versuche es gleich noch einmal.",
  "motion-service-rejects-client":
    "Der Bewegungsdienst weist Client-ID und Geheimnis zurück; prüfe beides in den Einstellungen.",
  "motion-service-busy": "Der Bewegungsdienst ist gerade überlastet; versuche es gleich noch einmal.",
  "motion-service-fails": "Der Bewegungsdienst hat eine Störung (Status {{status}}); versuche es gleich noch einmal.",
  "no-motion-service": "Die Antwort (Status {{status}}) ist keine eines Bewegungsdienstes; prüfe die Adresse.",
  "no-motion-service-version": "Die Antwort ist keine eines Bewegungsdienstes; prüfe die Adresse und seine Version.",
  "motion-service-address":
    "Die Adresse des Bewegungsdienstes ist keine Webadresse; sie sieht aus wie https://studio.example.",
  "motion-service-unencrypted":
    "Die Adresse des Bewegungsdienstes beginnt mit http://; auf dem Weg könnte jeder das Client-Geheimnis mitlesen. Nimm https:// oder erlaube es für diesen Server in den Einstellungen.",
  "unencrypted-link":
    "Der Server nannte eine Adresse, auf deren Weg andere mitlesen könnten; bitte seinen Betreiber um https oder erlaube in den Einstellungen unverschlüsselte Verbindungen zu ihm.",
  "file-too-large": "Die Datei ist größer als die erlaubten {{mostMib}} MiB.",
  "file-arrived-damaged": "Die Datei kam beschädigt an; hole sie noch einmal.",
  "identity-service-answers": "Der Kontodienst antwortet.",
  "motion-service-answers": "Der Bewegungsdienst antwortet und kennt Client-ID und Geheimnis.",
  "client-id-missing": "Die Client-ID fehlt. Dein Betreiber hat sie dir mit dem Geheimnis gegeben.",
  "keychain-locked-for-server":
    "Der Schlüsselbund dieses Rechners ist gesperrt, und in ihm liegt das Client-Geheimnis deines Servers. Entsperre ihn und versuch es noch einmal.",
  "keychain-locked":
    "Der Schlüsselbund dieses Rechners ist gesperrt; deshalb weiß Limber nicht, wer angemeldet war. Entsperre ihn und starte Limber neu, oder melde dich an. Was du gemacht hast, ist noch da.",
  "folder-not-closed":
    "Limber darf in seinem Datenordner nicht schreiben oder ihn nicht für andere schließen. Gib deinem Konto einen eigenen Ordner und starte Limber mit ihm in LIMBER_DATA.",
  "secret-unknown":
    "Das Client-Geheimnis deines Servers ist auf diesem Rechner nicht bekannt. Trage es in den Einstellungen ein.",
  "no-web-address": "Das ist keine Webadresse: {{service}}. Sie sieht aus wie https://studio.example.",
  "unencrypted-address":
    "Diese Adresse beginnt mit http://: {{service}}. Auf dem Weg könnte jeder Passwörter und Tokens mitlesen. Nimm https:// oder erlaube unverschlüsselte Verbindungen zu diesem Server.",
  "no-skeletons-told": "Dieser Server sagt nichts über Skelette. Bitte seinen Betreiber um eine neuere Version.",
  "nothing-said": "Etwas ist schiefgegangen, und niemand hat gesagt, was.",

  // the studio on this computer
  "studio-starting": "Das Studio startet noch. Versuche es wieder, wenn es bereit ist.",
  "folder-not-writable":
    "Limber darf in seinem Datenordner nicht schreiben. Gib deinem Konto das Recht dazu, oder starte Limber mit einem anderen in LIMBER_DATA.",
  "no-room-for-studio": "Die Festplatte ist voll. Schaffe mindestens 200 MB Platz und versuche es noch einmal.",
  "already-open": "Limber läuft schon mit diesem Datenordner. Benutze sein Fenster, oder schließe es erst.",
  "database-version":
    "Dein Studio wurde mit PostgreSQL {{version}} gemacht, das hier nicht installiert ist. Installiere das Paket `postgresql-{{version}}` und versuche es noch einmal. Nichts wurde geändert; deine Clips sind sicher.",
  "database-missing": "PostgreSQL fehlt. Installiere das Paket `postgresql` und versuche es noch einmal.",
  "database-not-started":
    "Die Datenbank ist nicht gestartet. Versuche es noch einmal; hilft das nicht, starte den Rechner neu.",
  "part-not-started":
    "Nicht gestartet ist: {{part}}. Versuche es noch einmal; das Protokoll in Limbers Ordner sagt, warum.",
  "computer-refuses":
    "Dieser Rechner verweigert, was das Studio braucht: {{why}}. Versuche es noch einmal, oder starte ihn neu.",

  // the disk
  "disk-full": "Die Festplatte ist voll; es gelang nicht, {{doing}}. Schaffe etwas Platz und versuche es noch einmal.",
  "no-right-to-write": "Limber darf dort nicht schreiben; es gelang nicht, {{doing}}. Wähle einen anderen Ordner.",
  "disk-refuses": "Die Festplatte macht nicht mit; es gelang nicht, {{doing}}. Prüfe sie und versuche es noch einmal.",
  "disk-work-stopped": "Limber ist an der Festplatte gescheitert. Nichts ging verloren; versuche es noch einmal.",

  // prompts and jobs
  dearer:
    "Das kostet {{price}} Credits, und noch wurde nichts berechnet. Drücke noch einmal, wenn du einverstanden bist.",
  "no-prompt": "Schreibe, was die Figur tun soll, auf Englisch, zum Beispiel „walks, then waves“.",
  "prompt-too-long": "Der Prompt ist länger als {{most}} Zeichen. Kürze ihn.",
  variants: "Wähle 1 bis {{most}} Varianten.",
  "no-character": "Wähle eine Figur für diesen Prompt.",
  "no-seed": "Ein Seed ist eine ganze Zahl unter 18 446 744 073 709 551 616.",
  "changed-steps": "Limber kann die Schritte nicht lesen, wie du sie geändert hast ({{why}}). Nimm die Änderungen zurück.",
  "job-unknown": "Dieser Auftrag ist nicht mehr bekannt.",
  "job-files-gone": "Das Studio hat die Dateien dieses Auftrags entfernt, bevor sie ankamen. Erzeuge ihn noch einmal.",
  "job-unknown-to-studio": "Das Studio kennt diesen Auftrag nicht mehr. Erzeuge ihn noch einmal.",
  "job-forgotten": "Was dieser Job machen sollte, ist nicht mehr bekannt. Beginne ihn neu.",
  "prompts-too-long": "Diese Prompts sind zu lang zum Behalten. Kürze sie.",

  // clips and edits
  "clip-unknown": "Dieser Clip ist nicht in der Bibliothek.",
  "clip-gone": "Dieser Clip ist nicht mehr in der Bibliothek.",
  "clip-deleted": "Dieser Clip wurde endgültig gelöscht.",
  "no-such-file": "Dieser Clip hat keine Datei der Art {{kind}}.",
  "clip-damaged":
    "Die Datei dieses Clips wurde auf der Festplatte verändert oder beschädigt. Erzeuge den Clip mit demselben Prompt und Seed noch einmal, dann ist er wieder da.",
  "no-picture-of-clip": "Das Bild dieses Clips ist kein Bild von ihm.",
  "clip-not-drawn": "Dieser Rechner konnte das Bild nicht zeichnen. Der Clip selbst ist so gut wie zuvor.",
  "clip-not-in-studio":
    "Das benutzte Studio hat diesen Clip nicht und kann ihn daher nicht ändern. Erzeuge ihn mit demselben Prompt und Seed noch einmal, oder geh zurück zu dem Studio, das ihn gemacht hat.",
  "too-short-to-loop":
    "Ein Teil aus weniger als zwei Frames kann nicht im Kreis laufen. Schiebe die Griffe auseinander.",
  "clip-not-measured":
    "Dieser Clip ist nicht zu messen: Seine Bewegung ist nicht lesbar. Erzeuge ihn noch einmal mit demselben Prompt und Seed.",
  "overlap-has-one-result": "Eine Überlappung hat ein Ergebnis.",
  "overlap-length": "Clips überlappen sich um 2 Frames bis 5 Sekunden.",
  "overlap-too-long": "Die Überlappung ist länger als einer der Clips. Verkürze sie, oder schneide weniger ab.",
  "nothing-left": "Vom Clip bliebe nichts übrig. Zieh die Griffe auseinander.",
  "cut-has-one-result": "Ein Schnitt hat ein Ergebnis.",
  "no-painted-prompt": "Schreibe, was im bemalten Teil geschehen soll.",
  "no-second-clip": "Wähle den Clip, der folgt.",
  rounds: "Ein Clip kann 1- bis {{most}}-mal herumgehen.",
  "how-different": "Wähle von 0 bis 1, wie anders er sein darf.",
  "bridge-length": "Eine Brücke dauert 0 bis 10 Sekunden.",
  "nothing-painted": "Bemale den Teil des Clips, der anders werden soll.",
  "painted-outside": "Ein bemalter Teil liegt außerhalb des beschnittenen Clips. Schiebe ihn hinein.",
  "tag-length": "Ein Stichwort hat 1 bis {{most}} Buchstaben.",
  "most-tags": "Ein Clip hat höchstens {{most}} Stichwörter. Nimm zuerst eines weg.",

  // exports, films and the viewer
  "place-forgotten": "Limber weiß nicht mehr, wo das liegt. Speichere es noch einmal.",
  "no-program": "Wähle mindestens ein Programm, für das exportiert wird.",
  "how-many-to-export": "Wähle 1 bis {{most}} Clips für den Export.",
  "not-exportable":
    "Dieser Clip entstand, bevor Limber behielt, woraus Exporte gemacht werden. Speichere ihn auf seiner Karte als GLB, FBX oder BVH, oder erzeuge ihn noch einmal.",
  "character-unreadable":
    "Die Figur dieses Clips ist nicht mehr lesbar. Erzeuge den Clip mit demselben Prompt und Seed noch einmal.",
  "file-not-made": "Die Datei konnte nicht gemacht werden: {{why}}.",
  "folder-gone":
    "Der Ordner ist nicht mehr da. Hol ihn zurück oder wähle einen anderen, und exportiere dann noch einmal.",
  "film-removed": "Das Studio hat diesen Film entfernt, bevor er ankam. Rendere ihn noch einmal.",
  "film-stays": "{{why}} Bis dahin liegt er in Limbers Ordner, bei den Filmen.",
  "no-colour": "Eine Farbe schreibt man als #rrggbb, zum Beispiel #8fb8ff.",
  "film-not-drawn": "Dieser Rechner konnte das Bild nicht zeichnen. Der Film selbst gelingt vielleicht trotzdem.",
  "filmed-clip-gone": "Das benutzte Studio hat diesen Clip nicht mehr. Erzeuge ihn noch einmal und rendere ihn dann.",
  "not-handed-over":
    "Dieser Desktop ließ Limber den Clip nicht übergeben. Speichere ihn und öffne ihn im anderen Programm.",
  "no-file-manager":
    "Dieser Desktop hat kein Programm, das Ordner zeigt. Suche die Datei dort, wo du Dateien speicherst.",
  "how-many-to-play": "Wähle 1 bis {{most}} Clips zum Abspielen.",
  "nothing-to-play": "Wähle zum Abspielen einen Teil, der mindestens einen Frame hat.",
  "viewer-not-opened":
    "Der Viewer konnte sein Fenster nicht öffnen. Aktualisiere den Grafiktreiber, oder speichere den Clip und öffne ihn in einem anderen Programm.",

  // characters
  "long-name": "Ein Name hat 1 bis {{most}} Zeichen.",
  "character-gone": "Diese Figur ist nicht mehr im Studio, oder du darfst sie nicht ändern.",
  "upload-stalled": "Seit zehn Minuten hat sich nichts bewegt. Prüfe die Verbindung und mach dann weiter.",
  "uploaded-file-gone":
    "Die Datei liegt nicht mehr, wo sie war. Leg sie zurück und versuche es noch einmal, oder füge sie neu hinzu.",
  "uploaded-file-closed":
    "Die Datei ist nicht lesbar. Prüfe, ob du sie öffnen darfst, und versuche es dann noch einmal.",
  "character-file-unreadable": "Die Datei ist nicht lesbar. Prüfe, ob sie da ist und ob du sie öffnen darfst.",
  "character-formats": "Figuren sind FBX-, GLB-, glTF- oder VRM-Dateien. Exportiere sie als eine davon.",
  "character-file-empty": "Die Datei ist leer. Exportiere die Figur noch einmal.",
  "most-uploads": "Mehr als {{most}} Übertragungen behält Limber nicht. Nimm erst beendete von der Liste.",
  "upload-gone": "Diese Übertragung steht nicht mehr auf der Liste.",
  "upload-cancelled": "Die Übertragung wurde abgebrochen.",
  "upload-restless":
    "Die Übertragung musste zu oft neu beginnen; prüfe, ob noch ein Programm die Datei schreibt, und versuche es dann noch einmal.",

  // what Limber was about to do, and services, within the sentences above
  "bring-back-clip": "den Clip zurückzuholen",
  "copy-clip": "den Clip zu kopieren",
  "delete-clip": "den Clip zu löschen",
  "empty-bin": "den Papierkorb zu leeren",
  "keep-clip": "den Clip zu behalten",
  "keep-settings": "die Einstellungen zu behalten",
  "keep-draft": "zu behalten, was du begonnen hast",
  "keep-tag": "das Stichwort behalten",
  "note-job": "den Auftrag zu notieren",
  "note-upload": "die Übertragung zu notieren",
  "pack-character": "die Figur zu packen",
  "read-clip": "den Clip zu lesen",
  "read-mail": "die Mail zu lesen",
  "save-clip": "den Clip zu speichern",
  "save-diagnostics": "die Diagnose zu speichern",
  "save-film": "den Film dort zu speichern",
  "write-file": "die Datei zu schreiben",
  "identity-service": "Kontodienst",
  "motion-service": "Bewegungsdienst",
};

/** Words that come as arguments and are the same few in every sentence. */
export const terms: Readonly<Record<string, string>> = {
  steps: "Schritte",
  metres: "Meter",
  seconds: "Sekunden",
  frames: "Frames",
  first: "nur das erste wird getan",
  second: "nur das zweite wird getan",
  "in-turn": "eins folgt dem anderen",
};
