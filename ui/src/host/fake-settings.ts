import { sentence } from "./fake-failure";
import type { Probe, ServerCheck, ServerEntry, StorageView } from "./host";

/** Finds a service at every address that contains "studio". */
export function exampleServerCheck({ identityUrl, motionUrl }: ServerEntry): ServerCheck {
  const answer = (url: string, what: string): Probe =>
    url.includes("studio")
      ? { good: true, words: sentence(`${what} answers, version 0.1.0.`) }
      : { good: false, words: sentence("Nothing answers there. Check the address, and whether the service runs.") };
  return {
    identity: answer(identityUrl, "The account service"),
    motion: answer(motionUrl, "The motion service"),
  };
}

/** A local studio stores every clip a second time, plus a database. */
export function exampleStorage(clips: number, binned: number, isHere: boolean): StorageView {
  const bytesEach = 1_250_000;
  return {
    clips,
    clipBytes: clips * bytesEach,
    binned,
    binnedBytes: binned * bytesEach,
    studioBytes: isHere ? (clips + binned) * bytesEach + 40_000_000 : null,
    freeBytes: 84_200_000_000,
  };
}
