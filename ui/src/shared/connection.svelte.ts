import { Asking } from "./asking.svelte";

/** What is under way with a service of somebody's own. */
export type Task = "ask" | "connect" | "forget";

/** A connection to a service of somebody's own, which hears nothing before they press: one task at a time. */
export class Connection<Answer> extends Asking {
  task = $state<Task | null>(null);
  /** What it answered last; null once something else is done. */
  answer = $state.raw<Answer | null>(null);

  /** Asks the service for something; null is no answer, because it was stopped. */
  ask(work: () => Promise<Answer | null>): Promise<boolean> {
    return this.run("ask", async () => {
      this.answer = await work();
    });
  }

  /** Takes the connection up, or gives it up. */
  change(task: Exclude<Task, "ask">, work: () => Promise<void>): Promise<boolean> {
    return this.run(task, work);
  }

  private run(task: Task, work: () => Promise<void>): Promise<boolean> {
    return this.do(async () => {
      this.task = task;
      this.answer = null;
      try {
        await work();
      } finally {
        this.task = null;
      }
    });
  }
}
