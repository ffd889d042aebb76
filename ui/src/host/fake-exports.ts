import { writtenFiles } from "./fake-editing";
import { said } from "./fake-failure";
import type { FakeLibrary } from "./fake-library";
import type { FakeRuntime } from "./fake-runtime";
import type { ExportOutcome, ExportRequest } from "./host";

/** Writes no files, and tells of each. */
export class FakeExports {
  /** What was asked for, for tests to look at. */
  readonly requests: ExportRequest[] = [];
  /** What an export waits for at each file, so that tests can look at one that is under way. */
  wait: (done: number) => Promise<void>;
  /** How many files the disk has room for. */
  roomForFiles = Infinity;
  private isCancelled = false;
  private readonly runtime: FakeRuntime;
  private readonly library: FakeLibrary;

  constructor(runtime: FakeRuntime, library: FakeLibrary) {
    this.runtime = runtime;
    this.library = library;
    this.wait = () => runtime.wait();
  }

  async write(request: ExportRequest): Promise<ExportOutcome> {
    this.isCancelled = false;
    await this.runtime.wait();
    this.requests.push(request);
    const clips = request.clips.map((part) => this.library.one(part.id));
    const wanted = clips.flatMap((clip) => writtenFiles([clip], request.presets).map((name) => ({ name, clip: clip.prompt })));
    const outcome = { folder: "Motions", files: [] as string[], all: wanted.length, failed: [], cancelled: false, place: 2 };
    for (const [done, { name, clip }] of wanted.entries()) {
      this.runtime.listener?.exporting({ done, all: wanted.length, clip });
      await this.wait(done);
      if (this.isCancelled) return { ...outcome, cancelled: true };
      if (done >= this.roomForFiles) {
        const message = "The disk is full, so Limber could not write the file. Free some space and try again.";
        const why = { code: "diskFull" as const, message: said(message), detail: null };
        return { ...outcome, failed: [{ why, files: wanted.slice(done).map((each) => each.name) }] };
      }
      outcome.files.push(name);
    }
    return outcome;
  }

  cancel(): void {
    this.isCancelled = true;
  }
}
