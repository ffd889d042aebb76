import { detailsOf } from "./fake-editing";
import { exampleClip, figure } from "./fake-examples";
import { fail } from "./fake-failure";
import type { FakeRuntime } from "./fake-runtime";
import type { ClipDetails, ClipShown, Draft, SaveFormat, Saved, StorageShown } from "./host";

/** The clips, those in the bin, and what was begun with each. */
export class FakeLibrary {
  readonly drafts = new Map<string, Draft | null>();
  private clips: ClipShown[] = [];
  private bin: ClipShown[] = [];
  private readonly runtime: FakeRuntime;

  constructor(runtime: FakeRuntime) {
    this.runtime = runtime;
  }

  /** As many examples as there are to be. */
  fill(clips: number): void {
    for (let index = 0; index < clips; index += 1) this.clips.push(exampleClip(index));
  }

  /** As after weeks: some that were deleted. */
  fillBin(): void {
    for (let index = 5; index < 8; index += 1) this.bin.push(exampleClip(index));
  }

  all(): ClipShown[] {
    return [...this.clips];
  }

  some(ids: string[]): ClipShown[] {
    return this.clips.filter((clip) => ids.includes(clip.id));
  }

  one(id: string): ClipShown {
    return this.clips.find((clip) => clip.id === id) ?? fail("notFound", "This clip is not in the library any more.");
  }

  /** Clips that a job made, the newest first. */
  add(made: ClipShown[]): void {
    this.clips.unshift(...made);
  }

  delete(ids: string[]): void {
    this.bin.push(...this.some(ids));
    this.clips = this.clips.filter((clip) => !ids.includes(clip.id));
    this.runtime.listener?.library(ids);
  }

  binned(): ClipShown[] {
    return [...this.bin];
  }

  restore(ids: string[]): void {
    const back = this.bin.filter((clip) => ids.includes(clip.id));
    this.bin = this.bin.filter((clip) => !ids.includes(clip.id));
    this.clips = [...this.clips, ...back].sort((a, b) => b.madeAt.localeCompare(a.madeAt));
    this.runtime.listener?.library(ids);
  }

  emptyBin(): void {
    this.bin = [];
  }

  tag(ids: string[], tag: string, wanted: boolean): void {
    const others = (tags: string[]) => tags.filter((each) => each.toLowerCase() !== tag.toLowerCase());
    this.clips = this.clips.map((clip) =>
      ids.includes(clip.id) ? { ...clip, tags: wanted ? [...others(clip.tags), tag] : others(clip.tags) } : clip,
    );
    this.runtime.listener?.library(ids);
  }

  async details(id: string): Promise<ClipDetails> {
    await this.runtime.wait();
    return detailsOf(this.one(id), this.drafts.get(id) ?? null);
  }

  still(id: string): string {
    return figure(this.one(id).characterName === "Bruno" ? "#8fb8ff" : "#ffb088");
  }

  async save(id: string, format: SaveFormat): Promise<Saved> {
    await this.runtime.wait();
    const clip = this.clips.find((each) => each.id === id);
    return { name: `${clip?.prompt.slice(0, 20).toLowerCase() ?? "clip"}.${format}`, place: 1 };
  }

  /** A studio here keeps every clip a second time, and a database. */
  storage(isHere: boolean): StorageShown {
    const [clips, binned] = [this.clips.length, this.bin.length];
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
}
