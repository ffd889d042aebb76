import { said } from "./fake-failure";
import type { Probe, ServerCheck, ServerEntry, SettingsShown } from "./host";

/** What somebody chose. */
export class FakeSettings {
  now: SettingsShown = {
    theme: "dark",
    language: "system",
    spoken: "en",
    place: "thisComputer",
    server: null,
    timelineRate: "own",
    secretsKept: true,
  };

  change(changes: Partial<SettingsShown>): SettingsShown {
    this.now = { ...this.now, ...changes };
    return this.now;
  }
}

/** Finds a service behind every address that has a studio in it. */
export function probe({ identityUrl, motionUrl }: ServerEntry): ServerCheck {
  const answer = (url: string, what: string): Probe =>
    url.includes("studio")
      ? { good: true, words: said(`${what} answers, version 0.1.0.`) }
      : { good: false, words: said("Nothing answers there. Check the address, and whether the service runs.") };
  return {
    identity: answer(identityUrl, "The identity service"),
    motion: answer(motionUrl, "The motion service"),
  };
}
