import { commands, events } from "./bindings";
import { HostError, type AppError, type Host } from "./host";

type Result<Value> = { status: "ok"; data: Value } | { status: "error"; error: AppError };

async function answer<Value>(asked: Promise<Result<Value>>): Promise<Value> {
  const result = await asked;
  if (result.status === "ok") return result.data;
  throw new HostError(result.error);
}

async function done(asked: Promise<Result<null>>): Promise<void> {
  await answer(asked);
}

/** The desktop window: every call goes to the app in the same program. */
export function tauriHost(): Host {
  return {
    snapshot: () => answer(commands.snapshot()),
    startStudio: () => done(commands.startStudio()),
    continueHere: () => done(commands.continueHere()),
    signUp: (email, password) => answer(commands.signUp(email, password)),
    signIn: (email, password) => done(commands.signIn(email, password)),
    signOut: () => done(commands.signOut()),
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
    openMailLink: (id, index) => done(commands.openMailLink(id, index)),
    setTheme: (theme) => answer(commands.setTheme(theme)),
    workHere: () => answer(commands.workHere()),
    workOnServer: (entry) => answer(commands.workOnServer(entry)),
    openFolder: () => done(commands.openFolder()),
    pickCharacters: () => answer(commands.pickCharacters()),
    uploads: () => answer(commands.uploads()),
    pauseUpload: (id) => done(commands.pauseUpload(id)),
    resumeUpload: (id) => done(commands.resumeUpload(id)),
    dismissUpload: (id) => done(commands.dismissUpload(id)),
    renameCharacter: (id, name) => done(commands.renameCharacter(id, name)),
    deleteCharacter: (id) => done(commands.deleteCharacter(id)),
    characterRig: (id) => answer(commands.characterRig(id)),
    mapCharacter: (id, joints) => answer(commands.mapCharacter(id, joints)),
    testCharacter: (id) => done(commands.testCharacter(id)),
    checkPrompt: (request) => answer(commands.checkPrompt(request)),
    vocabulary: () => answer(commands.vocabulary()),
    favourites: () => answer(commands.favourites()),
    setFavourite: (prompt, favourite) => answer(commands.setFavourite(prompt, favourite)),
    balance: () => answer(commands.balance()),
    backdrops: () => answer(commands.backdrops()),
    filmStill: (request, frame) => answer(commands.filmStill(request, frame)),
    makeFilm: (request) => answer(commands.makeFilm(request)),
    checkServer: (entry) => answer(commands.checkServer(entry)),
    storage: () => answer(commands.storage()),
    emptyBin: () => answer(commands.emptyBin()),
    saveDiagnostics: () => answer(commands.saveDiagnostics()),
    binnedClips: () => answer(commands.binnedClips()),
    async listen(listener) {
      const stops = await Promise.all([
        events.studioChanged.listen((event) => listener.studio(event.payload)),
        events.sessionChanged.listen((event) => listener.session(event.payload)),
        events.jobChanged.listen((event) => listener.job(event.payload)),
        events.libraryChanged.listen(() => listener.library()),
        events.mailCame.listen(() => listener.mail()),
        events.viewerChanged.listen((event) => listener.viewer(event.payload.shown ?? null)),
        events.problemMet.listen((event) => listener.problem(event.payload)),
        events.uploadChanged.listen((event) => listener.upload(event.payload)),
        events.filesDragged.listen((event) => listener.dragging(event.payload.over)),
        events.filmSaved.listen((event) => listener.saved(event.payload.name)),
      ]);
      return () => stops.forEach((stop) => stop());
    },
  };
}
