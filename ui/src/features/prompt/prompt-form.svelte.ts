import { EditedSteps } from "../../shared/edited-steps.svelte";
import { AutoSaver } from "../../shared/auto-saver";
import { DebouncedRequest } from "../../shared/debounced-request";
import type {
  ClipEnd,
  ClipStart,
  Host,
  JobView,
  PromptCheck,
  PromptDraft,
  PromptRequest,
  Vocabulary,
} from "../../host";

type PromptHost = Pick<
  Host,
  "checkPrompt" | "vocabulary" | "balance" | "promptHistory" | "favourites" | "setFavourite" | "keepDesk"
>;

/**
 * The prompt being written, its options, and how it is understood; kept while other pages are open.
 */
export class PromptForm {
  text = $state("");
  character = $state<string | null>(null);
  /** 0 lets the studio decide. */
  seconds = $state(0);
  variants = $state(1);
  seed = $state("");
  /** Null leaves it to the prompt. */
  start = $state<ClipStart | null>(null);
  /** Null leaves it to the prompt. */
  end = $state<ClipEnd | null>(null);
  loops = $state(false);
  history = $state.raw<string[]>([]);
  favourites = $state.raw<string[]>([]);
  vocabulary = $state.raw<Vocabulary | null>(null);
  /** How the text is understood; null if unknown. */
  check = $state.raw<PromptCheck | null>(null);
  /** The text that was checked, which may have changed since. */
  checked = $state("");
  /** Steps edited without changing the words. */
  readonly editedSteps = new EditedSteps();
  /** Credits left; null if nothing is charged. */
  balance = $state<number | null>(null);
  private readonly host: PromptHost;
  private readonly debouncedCheck = new DebouncedRequest(
    (request: PromptRequest) => this.fetchCheck(request),
    (result) => {
      this.check = result?.check ?? null;
      this.checked = result?.prompt ?? "";
      this.balance = result?.balance ?? null;
    },
  );
  /** The draft to be saved for the next start. */
  private readonly draft = $derived.by((): PromptDraft => ({
    text: this.text,
    characterId: this.character,
    seconds: this.seconds,
    variants: this.variants,
    seed: this.seed,
    ...this.editedScript,
    ...this.ends,
  }));
  /** Absent until the draft of the last start is known. */
  private saver: AutoSaver<PromptDraft> | null = null;
  /** Saves one after the other, so that the newest is saved last. */
  private saveQueue = Promise.resolve();
  private saveFailed = false;
  private readonly onsaveerror: (thrown: unknown) => void;

  /** `onsaveerror` is called once if the draft cannot be saved, not for every letter. */
  constructor(host: PromptHost, onsaveerror: (thrown: unknown) => void = () => {}) {
    this.host = host;
    this.onsaveerror = onsaveerror;
  }

  /** The script, if steps were edited. */
  get editedScript(): { script?: string } {
    const changed = this.editedSteps.of(this.text.trim());
    return changed ? { script: changed.script } : {};
  }

  /** The chosen start and end of the clip; a loop has neither. */
  get ends(): { start?: ClipStart; end?: ClipEnd; loops?: boolean } {
    if (this.loops) return { loops: true };
    return { ...(this.start && { start: this.start }), ...(this.end && { end: this.end }) };
  }

  /** Restores the draft of the last start, unless the user has begun to type. */
  restore(left: PromptDraft): void {
    if (this.saver) return;
    this.saver = new AutoSaver(left, (draft) => (this.saveQueue = this.saveQueue.then(() => this.write(draft))));
    if (this.text === "") {
      this.text = left.text;
      this.character = left.characterId ?? null;
      this.seconds = left.seconds;
      this.variants = left.variants;
      this.seed = left.seed;
      this.takeEnds(left);
      if (left.script) this.editedSteps.take(left.text.trim(), left.script);
    }
    this.saveSoon();
  }

  /** Makes the current draft survive a restart. */
  saveSoon(): void {
    // read unconditionally, so that an effect tracks the next change
    const now = this.draft;
    this.saver?.changed(now);
  }

  /** Saves at once, because the window may be about to close. */
  saveNow(): void {
    this.saver?.flush();
  }

  /** Takes over the prompt and options of a job; old jobs have only prompt and character. */
  reuse({ prompt, characterId, asked }: JobView): void {
    this.text = prompt;
    this.character = characterId;
    this.seconds = asked?.seconds ?? 0;
    this.variants = asked?.variants ?? 1;
    this.seed = asked?.seed ?? "";
    this.takeEnds(asked ?? {});
    this.editedSteps.clear();
    if (asked?.script) this.editedSteps.take(prompt.trim(), asked.script);
  }

  /** Loads suggestions and prices; each part that fails is skipped. */
  async load(): Promise<void> {
    const asked = [
      this.host.promptHistory().then((found) => (this.history = found)),
      this.host.favourites().then((found) => (this.favourites = found)),
      this.host.vocabulary().then((found) => (this.vocabulary = found)),
      this.host.balance().then((found) => (this.balance = found)),
    ];
    const failed = (await Promise.allSettled(asked)).find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
  }

  /** Takes over a script by a language model, valid until the text changes. */
  takeScript(text: string, script: string): void {
    this.editedSteps.take(text.trim(), script);
  }

  /** Checks the text after a short pause in typing. */
  scheduleCheck(request: PromptRequest | null): void {
    this.debouncedCheck.schedule(request);
  }

  async setFavourite(prompt: string, favourite: boolean): Promise<void> {
    this.favourites = await this.host.setFavourite(prompt, favourite);
  }

  submitted(prompt: string): void {
    this.history = [prompt, ...this.history.filter((each) => each !== prompt)];
    this.text = "";
    this.editedSteps.clear();
  }

  private takeEnds({ start, end, loops }: Pick<Partial<PromptRequest>, "start" | "end" | "loops">): void {
    this.start = start ?? null;
    this.end = end ?? null;
    this.loops = loops ?? false;
  }

  private async write(draft: PromptDraft): Promise<void> {
    try {
      await this.host.keepDesk(draft);
      this.saveFailed = false;
    } catch (thrown) {
      if (!this.saveFailed) this.onsaveerror(thrown);
      this.saveFailed = true;
    }
  }

  private async fetchCheck(
    request: PromptRequest,
  ): Promise<{ prompt: string; check: PromptCheck; balance: number | null }> {
    const check = await this.host.checkPrompt(request);
    const balance = check.price > 0 ? await this.host.balance().catch(() => null) : null;
    return { prompt: request.prompt, check, balance };
  }
}
