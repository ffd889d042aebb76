import { ChangedSteps } from "../../shared/changed.svelte";
import { AutoSaver } from "../../shared/auto-saver";
import { Newest } from "../../shared/newest";
import type {
  ClipEnd,
  ClipStart,
  Host,
  JobShown,
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
 * The prompt being written, its options, and how it is understood; kept while other rooms are open.
 */
export class PromptDesk {
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
  readonly changes = new ChangedSteps();
  /** Credits left; null if nothing is charged. */
  balance = $state<number | null>(null);
  private readonly host: PromptHost;
  private readonly looking = new Newest(
    (request: PromptRequest) => this.look(request),
    (seen) => {
      this.check = seen?.check ?? null;
      this.checked = seen?.prompt ?? "";
      this.balance = seen?.balance ?? null;
    },
  );
  /** The draft to be saved for the next start. */
  private readonly standing = $derived.by((): PromptDraft => ({
    text: this.text,
    characterId: this.character,
    seconds: this.seconds,
    variants: this.variants,
    seed: this.seed,
    ...this.changedScript,
    ...this.ends,
  }));
  /** Absent until the draft of the last start is known. */
  private saver: AutoSaver<PromptDraft> | null = null;
  /** Saves one after the other, so that the newest is saved last. */
  private keeping = Promise.resolve();
  private refused = false;
  private readonly onrefused: (thrown: unknown) => void;

  /** `onrefused` is called once if the draft cannot be saved, not for every letter. */
  constructor(host: PromptHost, onrefused: (thrown: unknown) => void = () => {}) {
    this.host = host;
    this.onrefused = onrefused;
  }

  /** The script, if steps were edited. */
  get changedScript(): { script?: string } {
    const changed = this.changes.of(this.text.trim());
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
    this.saver = new AutoSaver(left, (desk) => (this.keeping = this.keeping.then(() => this.write(desk))));
    if (this.text === "") {
      this.text = left.text;
      this.character = left.characterId ?? null;
      this.seconds = left.seconds;
      this.variants = left.variants;
      this.seed = left.seed;
      this.takeEnds(left);
      if (left.script) this.changes.take(left.text.trim(), left.script);
    }
    this.keep();
  }

  /** Makes the current draft survive a restart. */
  keep(): void {
    // read unconditionally, so that an effect tracks the next change
    const now = this.standing;
    this.saver?.changed(now);
  }

  /** Saves at once, because the window may be about to close. */
  keepNow(): void {
    this.saver?.flush();
  }

  /** Takes over the prompt and options of a job; old jobs have only prompt and character. */
  reuse({ prompt, characterId, asked }: JobShown): void {
    this.text = prompt;
    this.character = characterId;
    this.seconds = asked?.seconds ?? 0;
    this.variants = asked?.variants ?? 1;
    this.seed = asked?.seed ?? "";
    this.takeEnds(asked ?? {});
    this.changes.clear();
    if (asked?.script) this.changes.take(prompt.trim(), asked.script);
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
    this.changes.take(text.trim(), script);
  }

  /** Checks the text after a short pause in typing. */
  checkSoon(request: PromptRequest | null): void {
    this.looking.soon(request);
  }

  async star(prompt: string, favourite: boolean): Promise<void> {
    this.favourites = await this.host.setFavourite(prompt, favourite);
  }

  submitted(prompt: string): void {
    this.history = [prompt, ...this.history.filter((each) => each !== prompt)];
    this.text = "";
    this.changes.clear();
  }

  private takeEnds({ start, end, loops }: Pick<Partial<PromptRequest>, "start" | "end" | "loops">): void {
    this.start = start ?? null;
    this.end = end ?? null;
    this.loops = loops ?? false;
  }

  private async write(desk: PromptDraft): Promise<void> {
    try {
      await this.host.keepDesk(desk);
      this.refused = false;
    } catch (thrown) {
      if (!this.refused) this.onrefused(thrown);
      this.refused = true;
    }
  }

  private async look(
    request: PromptRequest,
  ): Promise<{ prompt: string; check: PromptCheck; balance: number | null }> {
    const check = await this.host.checkPrompt(request);
    const balance = check.price > 0 ? await this.host.balance().catch(() => null) : null;
    return { prompt: request.prompt, check, balance };
  }
}
