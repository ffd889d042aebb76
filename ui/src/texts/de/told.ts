/**
 * What the app and its services tell in English, in German; `{}` stands for what changes. Whether each
 * is still told, and none is missing, is tested in `told.test.ts`.
 */
export const told: Readonly<Record<string, string>> = {
  // account
  "This account is protected by a factor that Limber cannot ask for. Sign in on the web and add an authenticator app.":
    "Dieses Konto ist durch einen Faktor geschützt, nach dem Limber nicht fragen kann. Melde dich im Web an und füge eine Authenticator-App hinzu.",
  "This is not part of your account any more.": "Das gehört nicht mehr zu deinem Konto.",
  "The account service did not say what the authenticator needs. Try again.":
    "Der Kontodienst hat nicht gesagt, was der Authenticator braucht. Versuche es noch einmal.",
  "You are signed out. Sign in to go on.": "Du bist abgemeldet. Melde dich an, um weiterzumachen.",
  "Your session has ended: you were signed out from elsewhere, or it became too old. Sign in to go on. What you made is still here.":
    "Deine Sitzung ist zu Ende: Du wurdest anderswo abgemeldet, oder sie wurde zu alt. Melde dich an, um weiterzumachen. Was du gemacht hast, ist noch da.",
  "The sign-in did not work. Begin it again here.": "Die Anmeldung hat nicht geklappt. Beginne sie hier noch einmal.",
  "{} Begin it again here.": "{} Beginne die Anmeldung hier noch einmal.",
  "The email or the password is wrong. Check both, or create an account.":
    "Die E-Mail-Adresse oder das Passwort stimmt nicht. Prüfe beides, oder lege ein Konto an.",
  "This address is not confirmed yet. Open the link in the mail we sent, then sign in.":
    "Diese Adresse ist noch nicht bestätigt. Öffne den Link in der Mail, die wir geschickt haben, und melde dich dann an.",
  "This link or code is wrong, was used before or is too old. Ask for a new one.":
    "Dieser Link oder Code stimmt nicht, wurde schon benutzt oder ist zu alt. Lass dir einen neuen schicken.",
  "Nobody with this address has an account here. Check it, or create an account.":
    "Unter dieser Adresse gibt es hier kein Konto. Prüfe sie, oder lege ein Konto an.",
  "This studio makes accounts by invitation only. Ask its operator for one.":
    "Dieses Studio vergibt Konten nur auf Einladung. Bitte seinen Betreiber um eine.",
  "This account is blocked. Ask the operator of the studio.":
    "Dieses Konto ist gesperrt. Wende dich an den Betreiber des Studios.",
  "This address belongs to another account. Sign in with it, or use another address.":
    "Diese Adresse gehört zu einem anderen Konto. Melde dich damit an, oder nimm eine andere Adresse.",
  "This number belongs to another account. Sign in with it, or use another number.":
    "Diese Nummer gehört zu einem anderen Konto. Melde dich damit an, oder nimm eine andere Nummer.",
  "This is the password you have already. Choose another one.": "Das ist schon dein Passwort. Wähle ein anderes.",
  "The password you have now is another one. Try again.":
    "Dein jetziges Passwort ist ein anderes. Versuche es noch einmal.",
  "This code is wrong or too old. Change the password again to get a new one.":
    "Dieser Code stimmt nicht oder ist zu alt. Ändere das Passwort noch einmal, um einen neuen zu bekommen.",
  "This sign-in took too long or was finished before. Begin it again here.":
    "Diese Anmeldung hat zu lange gedauert oder war schon fertig. Beginne sie hier noch einmal.",
  "The other service does not vouch for your address. Open the link in the mail we sent, then sign in again.":
    "Der andere Dienst bürgt nicht für deine Adresse. Öffne den Link in der Mail, die wir geschickt haben, und melde dich dann noch einmal an.",
  "This studio does not let accounts be linked. Ask its operator to switch it on.":
    "Dieses Studio lässt Konten nicht verbinden. Bitte seinen Betreiber, es einzuschalten.",
  "That account is linked already, to this account or another one. Sign in with it instead.":
    "Jenes Konto ist schon verbunden, mit diesem Konto oder einem anderen. Melde dich stattdessen damit an.",
  "This is the only way into your account. Add another one before you remove it.":
    "Das ist der einzige Weg in dein Konto. Füge einen anderen hinzu, bevor du ihn entfernst.",
  "This code is wrong. Wait for the next one and try again.":
    "Dieser Code stimmt nicht. Warte auf den nächsten und versuche es noch einmal.",
  "This code came too late. Write the next one.": "Dieser Code kam zu spät. Schreibe den nächsten.",
  "This code is not the one of the newest message. Check it, or have another one sent.":
    "Dieser Code ist nicht der aus der neuesten Nachricht. Prüfe ihn, oder lass dir einen neuen schicken.",
  "This code came too late. Have another one sent.":
    "Dieser Code kam zu spät. Lass dir einen neuen schicken.",
  "This code was used before, or asked for from another network. Have another one sent.":
    "Dieser Code wurde schon benutzt oder aus einem anderen Netz angefordert. Lass dir einen neuen schicken.",
  "Limber does not wait for a code of this phone any more. Have another one sent.":
    "Limber wartet auf keinen Code dieses Telefons mehr. Lass dir einen neuen schicken.",
  "This studio sends no codes for second factors any more. Ask its operator to let you in.":
    "Dieses Studio verschickt keine Codes für zweite Faktoren mehr. Bitte seinen Betreiber, dich hineinzulassen.",
  "This studio takes no phones as second factors. Use an authenticator app.":
    "Dieses Studio nimmt keine Telefone als zweite Faktoren. Nimm eine Authenticator-App.",
  "This number protects your account already. Use another number.":
    "Diese Nummer schützt dein Konto schon. Nimm eine andere Nummer.",
  "Your account has as many second factors as this studio allows. Remove one first.":
    "Dein Konto hat so viele zweite Faktoren, wie dieses Studio erlaubt. Entferne erst einen.",
  "Your account is protected by a second factor. Sign out, sign in with its code, and try again.":
    "Dein Konto ist durch einen zweiten Faktor geschützt. Melde dich ab, melde dich mit seinem Code an und versuche es noch einmal.",
  "The text message could not be sent. Check the number and try again.":
    "Die SMS konnte nicht verschickt werden. Prüfe die Nummer und versuche es noch einmal.",
  "The account service named a page that is not on the web. Ask its operator.":
    "Der Kontodienst hat eine Seite genannt, die nicht im Web liegt. Wende dich an seinen Betreiber.",
  "This link belongs to another account than the one that is signed in. Sign out first, then open it again.":
    "Dieser Link gehört zu einem anderen Konto als dem angemeldeten. Melde dich erst ab und öffne ihn dann noch einmal.",
  "Limber asks about another invitation already. Answer that first, then open this link again.":
    "Limber fragt schon nach einer anderen Einladung. Beantworte zuerst diese Frage, und öffne dann den Link noch einmal.",
  "This link belongs to no sign-in that was begun here: it is too old, was used before, or comes from somewhere else. Nothing was changed. Begin the sign-in again.":
    "Dieser Link gehört zu keiner Anmeldung, die hier begonnen wurde: Er ist zu alt, wurde schon benutzt oder kommt von anderswo. Nichts wurde geändert. Beginne die Anmeldung noch einmal.",
  "Write the number with its country, like +49 170 1234567.":
    "Schreibe die Nummer mit ihrem Land, etwa +49 170 1234567.",
  "A code has six digits. Write them as they are shown.":
    "Ein Code hat sechs Ziffern. Schreibe sie so, wie sie angezeigt werden.",
  "This link does not lead to Limber. Open the link of the newest mail.":
    "Dieser Link führt nicht zu Limber. Öffne den Link der neuesten Mail.",
  "This desktop has no browser that Limber can open. Install one, or sign in another way.":
    "Dieser Desktop hat keinen Browser, den Limber öffnen kann. Installiere einen, oder melde dich anders an.",
  "This mail is not on this computer any more.": "Diese Mail liegt nicht mehr auf diesem Rechner.",
  "The mail could not be read. Try again.": "Die Mail konnte nicht gelesen werden. Versuche es noch einmal.",

  // services
  "The account service cannot be reached. Check the network connection and the server's address.":
    "Der Kontodienst ist nicht zu erreichen. Prüfe die Netzverbindung und die Adresse des Servers.",
  "The account service did not answer in time. Try again in a moment.":
    "Der Kontodienst hat nicht rechtzeitig geantwortet. Versuche es gleich noch einmal.",
  "The account service is asked too much just now. Try again in a moment.":
    "Der Kontodienst ist gerade überlastet. Versuche es gleich noch einmal.",
  "The account service refused the request.": "Der Kontodienst hat die Anfrage abgelehnt.",
  "The account service has a problem (status {}). Try again in a moment.":
    "Der Kontodienst hat eine Störung (Status {}). Versuche es gleich noch einmal.",
  "The answer could not be understood ({}). Check that the address belongs to an account service.":
    "Die Antwort war nicht zu verstehen ({}). Prüfe, ob die Adresse zu einem Kontodienst gehört.",
  "The address of the account service must begin with http:// or https://. Correct it in the settings.":
    "Die Adresse des Kontodienstes muss mit http:// oder https:// beginnen. Berichtige sie in den Einstellungen.",
  "The address of the account service begins with http://, so everybody on the way could read passwords and tokens. Use https://, or allow it for this server in the settings.":
    "Die Adresse des Kontodienstes beginnt mit http://; auf dem Weg könnte jeder Passwörter und Tokens mitlesen. Nimm https:// oder erlaube es für diesen Server in den Einstellungen.",
  "No secure connection can be made on this computer: its TLS set-up failed.":
    "Auf diesem Rechner ist keine sichere Verbindung möglich: Die Einrichtung von TLS ist gescheitert.",
  "The motion service cannot be reached; check that it runs and that its address is right.":
    "Der Bewegungsdienst ist nicht zu erreichen; prüfe, ob er läuft und ob seine Adresse stimmt.",
  "The motion service took too long to answer; try again in a moment.":
    "Der Bewegungsdienst hat zu lange gebraucht; versuche es gleich noch einmal.",
  "The motion service rejected the client id and secret; check both in the settings.":
    "Der Bewegungsdienst weist Client-ID und Geheimnis zurück; prüfe beides in den Einstellungen.",
  "The motion service is asked too much just now; try again in a moment.":
    "Der Bewegungsdienst ist gerade überlastet; versuche es gleich noch einmal.",
  "The motion service has a problem (status {}); try again in a moment.":
    "Der Bewegungsdienst hat eine Störung (Status {}); versuche es gleich noch einmal.",
  "The answer (status {}) is not one a motion service gives; check the address.":
    "Die Antwort (Status {}) ist keine eines Bewegungsdienstes; prüfe die Adresse.",
  "The answer is not one a motion service gives; check the address and its version.":
    "Die Antwort ist keine eines Bewegungsdienstes; prüfe die Adresse und seine Version.",
  "The address of the motion service is not a web address; it looks like https://studio.example.":
    "Die Adresse des Bewegungsdienstes ist keine Webadresse; sie sieht aus wie https://studio.example.",
  "The address of the motion service begins with http://, so everybody on the way could read the client secret; use https://, or allow it for this server in the settings.":
    "Die Adresse des Bewegungsdienstes beginnt mit http://; auf dem Weg könnte jeder das Client-Geheimnis mitlesen. Nimm https:// oder erlaube es für diesen Server in den Einstellungen.",
  "The file is larger than the {} MiB that are allowed.": "Die Datei ist größer als die erlaubten {} MiB.",
  "The file arrived damaged; fetch it again.": "Die Datei kam beschädigt an; hole sie noch einmal.",
  "The identity service answers.": "Der Kontodienst antwortet.",
  "The motion service answers, and knows the client id and secret.":
    "Der Bewegungsdienst antwortet und kennt Client-ID und Geheimnis.",
  "The client id is missing. Your operator gave it to you with the secret.":
    "Die Client-ID fehlt. Dein Betreiber hat sie dir mit dem Geheimnis gegeben.",
  "This computer's keychain is locked, and it holds the client secret of your server. Unlock the keychain and try again.":
    "Der Schlüsselbund dieses Rechners ist gesperrt, und in ihm liegt das Client-Geheimnis deines Servers. Entsperre ihn und versuch es noch einmal.",
  "This computer's keychain is locked, so Limber cannot tell who was signed in. Unlock it and start Limber again, or sign in. What you made is still here.":
    "Der Schlüsselbund dieses Rechners ist gesperrt; deshalb weiß Limber nicht, wer angemeldet war. Entsperre ihn und starte Limber neu, oder melde dich an. Was du gemacht hast, ist noch da.",
  "Limber may not write in its data folder, or may not close it to other people. Give your account a folder of its own, and start Limber with it in LIMBER_DATA.":
    "Limber darf in seinem Datenordner nicht schreiben oder ihn nicht für andere schließen. Gib deinem Konto einen eigenen Ordner und starte Limber mit ihm in LIMBER_DATA.",
  "The client secret of your server is not known on this computer. Open Settings and enter it.":
    "Das Client-Geheimnis deines Servers ist auf diesem Rechner nicht bekannt. Trage es in den Einstellungen ein.",
  "The address of the {} is not a web address. It looks like https://studio.example.":
    "Das ist keine Webadresse: {}. Sie sieht aus wie https://studio.example.",
  "The address of the {} begins with http://, so everybody on the way could read passwords and tokens. Use https://, or allow unencrypted connections to this server.":
    "Diese Adresse beginnt mit http://: {}. Auf dem Weg könnte jeder Passwörter und Tokens mitlesen. Nimm https:// oder erlaube unverschlüsselte Verbindungen zu diesem Server.",
  "identity service": "Kontodienst",
  "motion service": "Bewegungsdienst",
  "This server tells nothing of skeletons. Ask its operator for a newer version.":
    "Dieser Server sagt nichts über Skelette. Bitte seinen Betreiber um eine neuere Version.",

  // the studio on this computer
  "The studio is still starting. Try again when it is ready.":
    "Das Studio startet noch. Versuche es wieder, wenn es bereit ist.",
  "Limber may not write in its data folder. Give your account the right to write there, or start Limber with another one in LIMBER_DATA.":
    "Limber darf in seinem Datenordner nicht schreiben. Gib deinem Konto das Recht dazu, oder starte Limber mit einem anderen in LIMBER_DATA.",
  "The disk is full. Free at least 200 MB and try again.":
    "Die Festplatte ist voll. Schaffe mindestens 200 MB Platz und versuche es noch einmal.",
  "Limber is already running with this data folder. Use its window, or close it first.":
    "Limber läuft schon mit diesem Datenordner. Benutze sein Fenster, oder schließe es erst.",
  "Your studio was made with PostgreSQL {}, which is not installed here. Install the package `postgresql-{}` and try again. Nothing was changed; your clips are safe.":
    "Dein Studio wurde mit PostgreSQL {} gemacht, das hier nicht installiert ist. Installiere das Paket `postgresql-{}` und versuche es noch einmal. Nichts wurde geändert; deine Clips sind sicher.",
  "PostgreSQL is missing. Install the package `postgresql` and try again.":
    "PostgreSQL fehlt. Installiere das Paket `postgresql` und versuche es noch einmal.",
  "The database did not start. Try again; if it keeps failing, restart the computer.":
    "Die Datenbank ist nicht gestartet. Versuche es noch einmal; hilft das nicht, starte den Rechner neu.",
  "The {} did not start. Try again; its log in Limber's folder says why.":
    "Nicht gestartet ist: {}. Versuche es noch einmal; das Protokoll in Limbers Ordner sagt, warum.",
  "This computer refused what the studio needs: {}. Try again, or restart it.":
    "Dieser Rechner verweigert, was das Studio braucht: {}. Versuche es noch einmal, oder starte ihn neu.",
  "Something went wrong, and nobody said what.": "Etwas ist schiefgegangen, und niemand hat gesagt, was.",

  // the disk
  "The disk is full, so Limber could not {}. Free some space and try again.":
    "Die Festplatte ist voll; es gelang nicht, {}. Schaffe etwas Platz und versuche es noch einmal.",
  "Limber may not write there, so it could not {}. Choose another folder.":
    "Limber darf dort nicht schreiben; es gelang nicht, {}. Wähle einen anderen Ordner.",
  "The disk did not let Limber {}. Check it and try again.":
    "Die Festplatte macht nicht mit; es gelang nicht, {}. Prüfe sie und versuche es noch einmal.",
  "bring the clip back": "den Clip zurückzuholen",
  "copy the clip": "den Clip zu kopieren",
  "delete the clip": "den Clip zu löschen",
  "empty the bin": "den Papierkorb zu leeren",
  "keep the clip": "den Clip zu behalten",
  "keep the settings": "die Einstellungen zu behalten",
  "keep what you began": "zu behalten, was du begonnen hast",
  "note the job": "den Auftrag zu notieren",
  "note the upload": "die Übertragung zu notieren",
  "read the clip": "den Clip zu lesen",
  "read the mail": "die Mail zu lesen",
  "save the clip": "den Clip zu speichern",
  "save the diagnostics": "die Diagnose zu speichern",
  "save the film there": "den Film dort zu speichern",
  "write the file": "die Datei zu schreiben",
  "Limber failed at the disk. Nothing was lost; try again.":
    "Limber ist an der Festplatte gescheitert. Nichts ging verloren; versuche es noch einmal.",
  "{} Until then it lies in Limber's folder, among the films.":
    "{} Bis dahin liegt er in Limbers Ordner, bei den Filmen.",

  // prompts and jobs
  "This costs {} credits, and nothing was charged yet. Press again to agree.":
    "Das kostet {} Credits, und noch wurde nichts berechnet. Drücke noch einmal, wenn du einverstanden bist.",
  "Write what the character should do, for example “walks, then waves”.":
    "Schreibe, was die Figur tun soll, auf Englisch, zum Beispiel „walks, then waves“.",
  "The prompt is longer than 1024 characters. Shorten it.": "Der Prompt ist länger als 1024 Zeichen. Kürze ihn.",
  "Choose 1 to 8 variants.": "Wähle 1 bis 8 Varianten.",
  "Choose a character for this prompt.": "Wähle eine Figur für diesen Prompt.",
  "A seed is a whole number below 18,446,744,073,709,551,616.":
    "Ein Seed ist eine ganze Zahl unter 18 446 744 073 709 551 616.",
  "This job is not known any more.": "Dieser Auftrag ist nicht mehr bekannt.",
  "The studio removed the files of this job before they arrived. Generate it again.":
    "Das Studio hat die Dateien dieses Auftrags entfernt, bevor sie ankamen. Erzeuge ihn noch einmal.",
  "The studio does not know this job any more. Generate it again.":
    "Das Studio kennt diesen Auftrag nicht mehr. Erzeuge ihn noch einmal.",
  "These prompts are too long to be kept. Shorten them.": "Diese Prompts sind zu lang zum Behalten. Kürze sie.",

  // clips and edits
  "This clip is not in the library.": "Dieser Clip ist nicht in der Bibliothek.",
  "This clip is not in the library any more.": "Dieser Clip ist nicht mehr in der Bibliothek.",
  "This clip was deleted for good.": "Dieser Clip wurde endgültig gelöscht.",
  "This clip has no {} file.": "Dieser Clip hat keine Datei der Art {}.",
  "The file of this clip was changed or damaged on the disk. Generate the clip again with the same prompt and seed to get it back.":
    "Die Datei dieses Clips wurde auf der Festplatte verändert oder beschädigt. Erzeuge den Clip mit demselben Prompt und Seed noch einmal, dann ist er wieder da.",
  "The picture of this clip is no picture of it.": "Das Bild dieses Clips ist kein Bild von ihm.",
  "This computer could not draw the picture. The clip itself is as good as ever.":
    "Dieser Rechner konnte das Bild nicht zeichnen. Der Clip selbst ist so gut wie zuvor.",
  "The studio in use does not have this clip, so it cannot change it. Generate it again with the same prompt and seed, or go back to the studio that made it.":
    "Das benutzte Studio hat diesen Clip nicht und kann ihn daher nicht ändern. Erzeuge ihn mit demselben Prompt und Seed noch einmal, oder geh zurück zu dem Studio, das ihn gemacht hat.",
  "A part of fewer than two frames cannot go round. Move the trim handles apart.":
    "Ein Teil aus weniger als zwei Frames kann nicht im Kreis laufen. Schiebe die Griffe auseinander.",
  "This clip cannot be measured: its movement cannot be read. Generate it again with the same prompt and seed.":
    "Dieser Clip ist nicht zu messen: Seine Bewegung ist nicht lesbar. Erzeuge ihn noch einmal mit demselben Prompt und Seed.",
  "An overlap has one result.": "Eine Überlappung hat ein Ergebnis.",
  "Clips overlap by 2 frames to 5 seconds.": "Clips überlappen sich um 2 Frames bis 5 Sekunden.",
  "The overlap is longer than one of the clips. Shorten it, or cut less.":
    "Die Überlappung ist länger als einer der Clips. Verkürze sie, oder schneide weniger ab.",
  "Nothing would be left of the clip. Move the trim handles apart.":
    "Vom Clip bliebe nichts übrig. Zieh die Griffe auseinander.",
  "A cut has one result.": "Ein Schnitt hat ein Ergebnis.",
  "Write what shall happen in the painted part.": "Schreibe, was im bemalten Teil geschehen soll.",
  "Choose the clip that follows.": "Wähle den Clip, der folgt.",
  "A clip can go round 1 to 60 times.": "Ein Clip kann 1- bis 60-mal herumgehen.",
  "Choose how different it may be, from 0 to 1.": "Wähle von 0 bis 1, wie anders er sein darf.",
  "A tag has 1 to {} letters.": "Ein Stichwort hat 1 bis {} Buchstaben.",
  "A clip has at most {} tags. Take one away first.":
    "Ein Clip hat höchstens {} Stichwörter. Nimm zuerst eines weg.",
  "keep the tag": "das Stichwort behalten",
  "What this job was asked for is not known any more. Begin it anew.":
    "Was dieser Job machen sollte, ist nicht mehr bekannt. Beginne ihn neu.",
  "A bridge lasts 0 to 10 seconds.": "Eine Brücke dauert 0 bis 10 Sekunden.",
  "Paint the part of the clip that shall change.": "Bemale den Teil des Clips, der anders werden soll.",
  "A painted part lies outside of the trimmed clip. Move it inside.":
    "Ein bemalter Teil liegt außerhalb des beschnittenen Clips. Schiebe ihn hinein.",

  // exports and films
  "Limber does not remember where this was put. Save it once more.":
    "Limber weiß nicht mehr, wo das liegt. Speichere es noch einmal.",
  "Choose at least one program to export for.": "Wähle mindestens ein Programm, für das exportiert wird.",
  "Choose 1 to 100 clips to export.": "Wähle 1 bis 100 Clips für den Export.",
  "This clip was made before Limber kept what exports are made of. Save it as GLB, FBX or BVH from its card, or generate it again.":
    "Dieser Clip entstand, bevor Limber behielt, woraus Exporte gemacht werden. Speichere ihn auf seiner Karte als GLB, FBX oder BVH, oder erzeuge ihn noch einmal.",
  "The character of this clip cannot be read any more. Generate the clip again with the same prompt and seed.":
    "Die Figur dieses Clips ist nicht mehr lesbar. Erzeuge den Clip mit demselben Prompt und Seed noch einmal.",
  "The file could not be made: {}.": "Die Datei konnte nicht gemacht werden: {}.",
  "The folder is not there any more. Bring it back or choose another one, then export again.":
    "Der Ordner ist nicht mehr da. Hol ihn zurück oder wähle einen anderen, und exportiere dann noch einmal.",
  "The studio removed this film before it arrived. Render it again.":
    "Das Studio hat diesen Film entfernt, bevor er ankam. Rendere ihn noch einmal.",
  "A colour is written as #rrggbb, for example #8fb8ff.": "Eine Farbe schreibt man als #rrggbb, zum Beispiel #8fb8ff.",
  "This computer could not draw the picture. The film itself may still work.":
    "Dieser Rechner konnte das Bild nicht zeichnen. Der Film selbst gelingt vielleicht trotzdem.",
  "The studio in use does not have this clip any more. Generate it again, then render it.":
    "Das benutzte Studio hat diesen Clip nicht mehr. Erzeuge ihn noch einmal und rendere ihn dann.",
  "This desktop did not let Limber hand the clip over. Save it, and open it in the other program.":
    "Dieser Desktop ließ Limber den Clip nicht übergeben. Speichere ihn und öffne ihn im anderen Programm.",
  "This desktop has no program that shows folders. Look for the file where you save files.":
    "Dieser Desktop hat kein Programm, das Ordner zeigt. Suche die Datei dort, wo du Dateien speicherst.",
  "Choose 1 to {} clips to play.": "Wähle 1 bis {} Clips zum Abspielen.",
  "Choose a part to play that has at least one frame.": "Wähle zum Abspielen einen Teil, der mindestens einen Frame hat.",
  "The viewer could not open its window. Update the graphics driver, or save the clip and open it in another program.":
    "Der Viewer konnte sein Fenster nicht öffnen. Aktualisiere den Grafiktreiber, oder speichere den Clip und öffne ihn in einem anderen Programm.",

  // characters
  "A name has 1 to {} characters.": "Ein Name hat 1 bis {} Zeichen.",
  "This character is not in the studio any more, or it is not yours to change.":
    "Diese Figur ist nicht mehr im Studio, oder du darfst sie nicht ändern.",
  "Nothing has moved for ten minutes. Check the connection, then resume.":
    "Seit zehn Minuten hat sich nichts bewegt. Prüfe die Verbindung und mach dann weiter.",
  "The file is not where it was. Put it back and try again, or add it anew.":
    "Die Datei liegt nicht mehr, wo sie war. Leg sie zurück und versuche es noch einmal, oder füge sie neu hinzu.",
  "The file cannot be read. Check that you may open it, then try again.":
    "Die Datei ist nicht lesbar. Prüfe, ob du sie öffnen darfst, und versuche es dann noch einmal.",
  "The file cannot be read. Check that it is there and that you may open it.":
    "Die Datei ist nicht lesbar. Prüfe, ob sie da ist und ob du sie öffnen darfst.",
  "Characters come as FBX, GLB, glTF or VRM files. Export it as one of these.":
    "Figuren sind FBX-, GLB-, glTF- oder VRM-Dateien. Exportiere sie als eine davon.",
  "The file is empty. Export the character again.": "Die Datei ist leer. Exportiere die Figur noch einmal.",
  "{} uploads are as many as Limber keeps. Take ended ones off the list first.":
    "Mehr als {} Übertragungen behält Limber nicht. Nimm erst beendete von der Liste.",
  "This upload is not in the list any more.": "Diese Übertragung steht nicht mehr auf der Liste.",
  "The upload is paused; resume it whenever you like.":
    "Die Übertragung ist angehalten; mach weiter, wann du willst.",
  "The upload was cancelled.": "Die Übertragung wurde abgebrochen.",
  "The upload had to begin anew too often; check that no program is still writing the file, then try again.":
    "Die Übertragung musste zu oft neu beginnen; prüfe, ob noch ein Programm die Datei schreibt, und versuche es dann noch einmal.",
};
