import { fail } from "./fake-failure";
import type { Listener } from "./host";

/** What all parts of the fake share: how long things take, who listens, and what is charged. */
export class FakeRuntime {
  /** How long the fake takes for anything that takes time, in milliseconds. */
  pace = 350;
  listener: Listener | null = null;
  /** What there is to spend; null where nothing costs anything. */
  credits: number | null = null;
  private count = 0;

  wait(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.pace));
  }

  id(kind: string): string {
    this.count += 1;
    return `${kind}-${String(this.count).padStart(16, "0")}`;
  }

  /** Credits where something is charged. */
  priced(credits: number): number {
    return this.credits === null ? 0 : credits;
  }

  agree(price: number, agreed: number): void {
    if (price > agreed) fail("dearerThanAgreed", `This costs ${price} credits, and nothing was charged yet. Press again to agree.`);
  }
}
