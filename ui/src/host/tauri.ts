import { answer, done } from "./answer";
import { commands, events } from "./bindings";
import type { Host } from "./host";
import { tauriAccounts } from "./tauri-accounts";

/** The desktop window: every call goes to the app in the same program. */
export function tauriHost(): Host {
  return {
    snapshot: () => answer(commands.snapshot()),
    startStudio: () => done(commands.startStudio()),
    accounts: tauriAccounts,
    characters: () => answer(commands.characters()),
    submitPrompt: (request) => answer(commands.submitPrompt(request)),
    cancelJob: (id) => done(commands.cancelJob(id)),
    payForJob: (id) => done(commands.payForJob(id)),
    jobs: () => answer(commands.jobs()),
    clips: () => answer(commands.clips()),
    clipPicture: (id) => answer(commands.clipPicture(id)),
    playClips: (ids) => done(commands.playClips(ids)),
    saveClip: (id, format) => answer(commands.saveClip(id, format)),
    editClip: (request) => answer(commands.editClip(request)),
    clipDetails: (id) => answer(commands.clipDetails(id)),
    keepDraft: (id, draft) => done(commands.keepDraft(id, draft)),
    exportClips: (request) => answer(commands.exportClips(request)),
    showExported: () => done(commands.showExported()),
    deleteClips: (ids) => done(commands.deleteClips(ids)),
    restoreClips: (ids) => done(commands.restoreClips(ids)),
    viewerSeek: (frame) => done(commands.viewerSeek(frame)),
    viewerPlay: (playing) => done(commands.viewerPlay(playing)),
    viewerSpeed: (factor) => done(commands.viewerSpeed(factor)),
    viewerLoop: (enabled) => done(commands.viewerLoop(enabled)),
    promptHistory: () => answer(commands.promptHistory()),
    mails: () => answer(commands.mails()),
    readMail: (id) => answer(commands.readMail(id)),
    openMailLink: (id, index) => answer(commands.openMailLink(id, index)),
    setTheme: (theme) => answer(commands.setTheme(theme)),
    workHere: () => answer(commands.workHere()),
    workOnServer: (entry) => answer(commands.workOnServer(entry)),
    openFolder: () => done(commands.openFolder()),
    async listen(listener) {
      const stops = await Promise.all([
        events.studioChanged.listen((event) => listener.studio(event.payload)),
        events.sessionChanged.listen((event) => listener.session(event.payload)),
        events.jobChanged.listen((event) => listener.job(event.payload)),
        events.libraryChanged.listen(() => listener.library()),
        events.mailCame.listen(() => listener.mail()),
        events.viewerChanged.listen((event) => listener.viewer(event.payload.shown ?? null)),
        events.linkFollowed.listen((event) => listener.link(event.payload)),
        events.problemMet.listen((event) => listener.problem(event.payload)),
      ]);
      return () => stops.forEach((stop) => stop());
    },
  };
}
