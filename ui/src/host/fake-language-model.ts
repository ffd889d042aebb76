import { sentence } from "./fake-failure";
import type { LanguageModelEntry, LanguageModelReading, LanguageModelView } from "./host";

/** A model that reads every prompt as a walk and a wave. */
export class FakeLanguageModel {
  /** The requests it received, for tests. */
  readonly asked: string[] = [];
  /** It answers only prose. */
  isChatty = false;
  /** It hangs until stopped. */
  hangs = false;
  private stopped: () => void = () => {};

  shown({ address, name, limitS, allowUnencrypted, key }: LanguageModelEntry): LanguageModelView {
    return { address, name, limitS, allowUnencrypted, hasKey: Boolean(key) };
  }

  async read(prompt: string): Promise<LanguageModelReading | null> {
    this.asked.push(prompt);
    if (this.hangs) return new Promise((resolve) => (this.stopped = () => resolve(null)));
    const sent = { speaker: "limber" as const, text: `The description: ${JSON.stringify(prompt)}` };
    if (this.isChatty) {
      const words = "Your language model did not return a usable script.";
      const error = { code: "serviceRefused" as const, message: sentence(words), detail: null };
      return { outcome: { state: "failed", error }, exchange: [sent, { speaker: "model", text: "What a lovely idea!" }] };
    }
    const json = JSON.stringify({ version: 2, events: [{ do: "walk" }, { do: "wave" }] });
    return { outcome: { state: "script", json, text: "v2 walk > wave" }, exchange: [sent, { speaker: "model", text: json }] };
  }

  stop(): void {
    this.stopped();
  }
}
