import { ChangedSteps } from "../../shared/changed.svelte";
import { Keeper } from "../../shared/keeper";
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

/** What is being written, and what is known about it; it stays while rooms change. */
export class PromptDesk {
  text = $state("");
  character = $state<string | null>(null);
  /** 0 lets the studio decide. */
  seconds = $state(0);
  variants = $state(1);
  seed = $state("");
  /** Null leaves it to the words. */
  start = $state<ClipStart | null>(null);
  /** Null leaves it to the words. */
  end = $state<ClipEnd | null>(null);
  loops = $state(false);
  history = $state.raw<string[]>([]);
  favourites = $state.raw<string[]>([]);
  vocabulary = $state.raw<Vocabulary | null>(null);
  /** How the text is understood; null while nobody knows. */
  check = $state.raw<PromptCheck | null>(null);
  /** The text that this is about, which may have changed since. */
  checked = $state("");
  /** Steps that were changed without other words. */
  readonly changes = new ChangedSteps();
  /** What is left to spend; null where nothing is charged. */
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
  /** What stands here, for the next start. */
  private readonly standing = $derived.by((): PromptDraft => ({
    text: this.text,
    characterId: this.character,
    seconds: this.seconds,
    variants: this.variants,
    seed: this.seed,
    ...this.changedScript,
    ...this.ends,
  }));
  /** Absent until it is known what an earlier start left. */
  private keeper: Keeper<PromptDraft> | null = null;
  /** One after the other, so that what is newest is kept last. */
  private keeping = Promise.resolve();
  private refused = false;
  private readonly onrefused: (thrown: unknown) => void;

  /** `onrefused` hears why what stands here cannot be kept; once, not for every letter. */
  constructor(host: PromptHost, onrefused: (thrown: unknown) => void = () => {}) {
    this.host = host;
    this.onrefused = onrefused;
  }

  /** The steps, where somebody changed them. */
  get changedScript(): { script?: string } {
    const changed = this.changes.of(this.text.trim());
    return changed ? { script: changed.script } : {};
  }

  /** How the clip begins and ends, as far as somebody chose it; what loops does neither. */
  get ends(): { start?: ClipStart; end?: ClipEnd; loops?: boolean } {
    if (this.loops) return { loops: true };
    return { ...(this.start && { start: this.start }), ...(this.end && { end: this.end }) };
  }

  /** Takes up what an earlier start left; whoever has begun to write by now is not interrupted. */
  restore(left: PromptDraft): void {
    if (this.keeper) return;
    this.keeper = new Keeper(left, (desk) => (this.keeping = this.keeping.then(() => this.write(desk))));
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

  /** Has what stands here now survive a restart. */
  keep(): void {
    // read in any case, so that an effect hears of the next change
    const now = this.standing;
    this.keeper?.changed(now);
  }

  /** The same at once, because the window may be about to close. */
  keepNow(): void {
    this.keeper?.flush();
  }

  /** What a job was asked for, to be changed a little; of old jobs only the words and who moves are known. */
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

  /** Asks for everything that helps writing; what cannot be had leaves the rest alone. */
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

  /** What a language model found in a text; it holds until the text is another one. */
  takeScript(text: string, script: string): void {
    this.changes.take(text.trim(), script);
  }

  /** Looks at what was written once nothing more is written for a moment. */
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
