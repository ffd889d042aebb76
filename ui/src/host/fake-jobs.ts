import { editedClip, kindOf, newJob } from "./fake-editing";
import { exampleClip } from "./fake-examples";
import { fail } from "./fake-failure";
import { filmJob } from "./fake-films";
import type { FakeLibrary } from "./fake-library";
import type { FakeRuntime } from "./fake-runtime";
import type { AppError, ClipShown, EditRequest, FilmRequest, JobShown, JobState, PromptRequest } from "./host";

/** How what a job was asked for is handed in once more. */
interface Again {
  price: () => number;
  submit: (agreed: number) => Promise<JobShown>;
}

/** What clips are made by: jobs that wait, work and end, in fast motion. */
export class FakeJobs {
  /** What was asked for, for tests to look at. */
  readonly edits: EditRequest[] = [];
  readonly films: FilmRequest[] = [];
  /** Why films cannot be saved where somebody wants them; null where they can. */
  stranding: AppError | null = null;
  private list: JobShown[] = [];
  private readonly again = new Map<string, Again>();
  private readonly runtime: FakeRuntime;
  private readonly library: FakeLibrary;
  private readonly nameOf: (character: string) => string;

  constructor(runtime: FakeRuntime, library: FakeLibrary, nameOf: (character: string) => string) {
    this.runtime = runtime;
    this.library = library;
    this.nameOf = nameOf;
  }

  /** As after weeks: films that are done. */
  fill(): void {
    this.list = [exampleClip(0), exampleClip(2)].map((clip) => ({
      ...filmJob(clip.jobId, clip),
      change: null,
      state: { state: "done" },
    }));
  }

  all(): JobShown[] {
    return this.list;
  }

  /** The prompts of all jobs, each once. */
  prompts(): string[] {
    return [...new Set(this.list.map((job) => job.prompt))];
  }

  /** Credits for one variant of a prompt. */
  promptPrice(): number {
    return this.runtime.priced(2);
  }

  editPrice(request: EditRequest): number {
    return this.runtime.priced(request.change.kind === "cut" ? 0 : 1.5 * request.variants);
  }

  filmPrice(): number {
    return this.runtime.priced(3);
  }

  async submit(request: PromptRequest, agreed: number): Promise<JobShown> {
    await this.runtime.wait();
    const price = () => this.promptPrice() * request.variants;
    this.runtime.agree(price(), agreed);
    if (!/walk|run|jump|wave|dance|sneak|kick|bow|sit/i.test(request.prompt)) {
      fail("unknownAction", `“${request.prompt}” is not a motion I know. The nearest are walk, wave and jump.`);
    }
    const { prompt, characterId, variants } = request;
    const what = { prompt, characterId, characterName: this.nameOf(characterId), variants, asked: request };
    const again = { price, submit: (agreed: number) => this.submit(request, agreed) };
    return this.begin(newJob(this.runtime.id("job"), what), again, () => exampleClip(1));
  }

  async edit(request: EditRequest, agreed: number): Promise<JobShown> {
    await this.runtime.wait();
    const price = () => this.editPrice(request);
    this.runtime.agree(price(), agreed);
    this.edits.push(request);
    const { change, variants } = request;
    const second = change.kind === "join" || change.kind === "overlap" ? this.library.one(change.second.id) : null;
    const made = editedClip(this.library.one(request.clip.id), second, request);
    const job = newJob(this.runtime.id("job"), { ...made, variants, change: kindOf(change) });
    const again = { price, submit: (agreed: number) => this.edit(request, agreed) };
    return this.begin(job, again, () => made);
  }

  async film(request: FilmRequest, agreed: number): Promise<JobShown> {
    await this.runtime.wait();
    this.runtime.agree(this.filmPrice(), agreed);
    this.films.push(request);
    const job = filmJob(this.runtime.id("job"), this.library.one(request.clip.id));
    this.list.unshift(job);
    void this.work(job, null).then(() => {
      const { listener } = this.runtime;
      if (this.stranding) listener?.stranded(this.stranding, 4);
      else listener?.saved({ name: `film.${request.container}`, place: 3 });
    });
    return job;
  }

  async pay(id: string): Promise<void> {
    await this.runtime.wait();
    this.change(id, { state: "done" });
  }

  retry(id: string, agreed: number): Promise<JobShown> {
    const again = this.again.get(id) ?? fail("notFound", "What this job was asked for is not known any more. Begin it anew.");
    return again.submit(agreed);
  }

  retryPrice(id: string): number {
    return this.again.get(id)?.price() ?? 0;
  }

  cancel(id: string): void {
    this.change(id, { state: "cancelled" });
  }

  private begin(job: JobShown, again: Again, made: () => ClipShown): JobShown {
    this.list.unshift(job);
    this.again.set(job.id, again);
    void this.work(job, made);
    return job;
  }

  private async work(job: JobShown, made: (() => ClipShown) | null): Promise<void> {
    for (let percent = 0; percent <= 100; percent += 10) {
      await this.runtime.wait();
      const variant = Math.min(Math.floor((percent * job.variants) / 100) + 1, job.variants);
      const share = (percent * job.variants) % 100;
      const stage = share < 2 ? "preparing" : share < 52 ? "moving" : share < 70 ? "grounding" : "writing";
      if (!this.change(job.id, { state: "working", percent, stage, variant })) return;
    }
    const clips = made ? this.variantsOf(job, made) : [];
    this.library.add(clips);
    this.change(job.id, { state: "done" });
    this.runtime.listener?.library(clips.map((clip) => clip.id));
  }

  private variantsOf(job: JobShown, made: () => ClipShown): ClipShown[] {
    const { id, variants, prompt, characterName } = job;
    return Array.from({ length: variants }, (_, at) => ({
      ...made(),
      id: `${id}.${at + 1}`,
      jobId: id,
      variant: at + 1,
      variants,
      prompt,
      characterName,
      madeAt: new Date().toISOString(),
    }));
  }

  /** Answers false when the job had been cancelled before. */
  private change(id: string, state: JobState): boolean {
    const at = this.list.findIndex((job) => job.id === id);
    const job = this.list[at];
    if (!job || job.state.state === "cancelled") return false;
    const madeNothing = state.state === "failed" || state.state === "cancelled";
    const changed = { ...job, state, canRetry: madeNothing && this.again.has(id) };
    this.list[at] = changed;
    this.runtime.listener?.job(changed);
    return true;
  }
}
