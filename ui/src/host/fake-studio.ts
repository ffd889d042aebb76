import { said } from "./fake-failure";
import type { FakeRuntime } from "./fake-runtime";
import type { StartStep, StudioState } from "./host";

/** A studio that starts step by step. */
export class FakeStudio {
  state: StudioState = { state: "starting", steps: steps(0) };
  private readonly runtime: FakeRuntime;

  constructor(runtime: FakeRuntime) {
    this.runtime = runtime;
  }

  /** Answers whether it may be told to be ready. */
  async start(failing: boolean): Promise<boolean> {
    for (let done = 0; done < 4; done += 1) {
      this.tell({ state: "starting", steps: steps(done) });
      await this.runtime.wait();
      if (failing && done === 1) {
        this.fail(done);
        return false;
      }
    }
    return true;
  }

  tell(state: StudioState): void {
    this.state = state;
    this.runtime.listener?.studio(state);
  }

  private fail(done: number): void {
    const error = {
      code: "databaseMissing" as const,
      message: said("PostgreSQL is missing. Install the package `postgresql` and try again."),
      detail: null,
    };
    const failed = steps(done).map((step, at) => (at === done ? { ...step, state: "failed" as const } : step));
    this.tell({ state: "failed", steps: failed, error });
  }
}

function steps(done: number): StartStep[] {
  const words = {
    folder: "Opening your data folder",
    database: "Starting the private database",
    services: "Starting accounts and motion",
    worker: "Waking the engine",
  };
  return Object.entries(words).map(([id, each], at) => ({
    id,
    words: each,
    state: at < done ? "done" : at === done ? "working" : "waiting",
  }));
}
