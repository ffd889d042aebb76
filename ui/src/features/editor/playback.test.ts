import { expect, test, vi } from "vitest";
import type { ViewerView } from "../../host";
import { DraftEditor } from "./draft.svelte";
import { Playback } from "./playback.svelte";

function open() {
  const host = {
    viewerSeek: vi.fn(),
    viewerPlay: vi.fn(),
    viewerPlayBackwards: vi.fn(),
    viewerSpeed: vi.fn(),
    viewerInPlace: vi.fn(),
    viewerLoop: vi.fn(),
    viewerRange: vi.fn(),
  };
  const draft = new DraftEditor("clip", 90);
  draft.trimStart(30);
  draft.trimEnd(60);
  const clock = { now: 0 };
  const attempt = (work: () => Promise<void>) => Promise.resolve(work());
  const playback = new Playback(draft, 30, host, attempt, () => clock.now);
  return { host, draft, clock, playback };
}

const shown = (frame: number, playing = true, backwards = false): ViewerView => ({
  ...{ clips: ["clip"], frames: 90, fps: 30, layers: ["skin"], compared: 1 },
  ...{ frame, playing, backwards },
});

test("the playhead follows the viewer, which gets its settings once", () => {
  const { host, playback } = open();
  playback.follow(shown(40));
  expect([playback.frame, playback.playing]).toEqual([40, true]);
  expect(host.viewerRange.mock.calls).toEqual([[{ start: 30, end: 60 }]]);
  playback.follow(shown(59));
  playback.follow(shown(30));
  expect(playback.frame).toBe(30);
  expect(host.viewerRange).toHaveBeenCalledTimes(1);
  expect(host.viewerSeek).not.toHaveBeenCalled();
  expect(host.viewerPlay).not.toHaveBeenCalled();
});

test("sends settings again when the viewer shows other clips, reopens, or is left", () => {
  const { host, playback } = open();
  playback.trimChanged({ start: 30, end: 60 });
  expect(host.viewerRange).not.toHaveBeenCalled();
  playback.follow(shown(40));
  playback.follow({ ...shown(0), clips: ["clip", "other"] });
  expect(host.viewerRange).toHaveBeenCalledTimes(2);
  playback.follow(null);
  playback.follow({ ...shown(0), clips: ["clip", "other"] });
  expect(host.viewerRange.mock.calls).toEqual(Array(3).fill([{ start: 30, end: 60 }]));
  playback.trimChanged({ start: 20, end: 60 });
  expect(host.viewerRange).toHaveBeenLastCalledWith({ start: 20, end: 60 });
  playback.leave();
  expect(host.viewerRange).toHaveBeenLastCalledWith(null);
});

test("ignores a viewer that shows another clip", () => {
  const { host, playback } = open();
  playback.follow({ ...shown(7), clips: ["other"] });
  playback.step(1);
  expect(playback.frame).toBe(31);
  expect(host.viewerSeek).not.toHaveBeenCalled();
});

test("plays by its own clock at the chosen speed without a viewer", () => {
  let tick: FrameRequestCallback = () => {};
  vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => {
    tick = call;
    return 1;
  });
  const { draft, playback } = open();
  draft.change({ speed: 0.5 });
  playback.play();
  tick(1000);
  expect(playback.frame).toBeGreaterThanOrEqual(44);
  expect(playback.frame).toBeLessThanOrEqual(45);
  tick(2100);
  expect(playback.frame).toBe(30);
  vi.unstubAllGlobals();
});

test("ignores outdated reports of the viewer", () => {
  const { clock, playback } = open();
  playback.follow(shown(40));
  playback.pause();
  playback.seek(50);
  playback.follow(shown(41));
  expect([playback.frame, playback.playing]).toEqual([50, false]);
  playback.follow(shown(50, false));
  playback.follow(shown(45, true));
  expect([playback.frame, playback.playing]).toEqual([45, true]);
  playback.seek(35);
  clock.now = 1000;
  playback.follow(shown(46));
  expect(playback.frame).toBe(46);
});

/** Plays with a clock advanced by hand, in place of `requestAnimationFrame`. */
function manualTimers() {
  let tick: FrameRequestCallback = () => {};
  vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => {
    tick = call;
    return 1;
  });
  return { tick: (at: number) => tick(at) };
}

test("while playing, the exact frame is fractional and within the trim", () => {
  const hand = manualTimers();
  const { playback } = open();
  expect(playback.exactFrame).toBe(30);
  playback.play();
  hand.tick(350);
  expect(playback.frame).toBe(40);
  expect(playback.exactFrame).toBeCloseTo(40.5);
  // frame 60 is trimmed off, so that no interpolation leads to it
  hand.tick(990);
  expect(playback.frame).toBe(59);
  expect(playback.exactFrame).toBe(59);
  playback.seek(45);
  expect(playback.exactFrame).toBe(45);
  hand.tick(990);
  playback.pause();
  expect(playback.exactFrame).toBe(45);
  playback.playBackwards();
  hand.tick(1050);
  expect(Math.floor(playback.exactFrame)).toBe(playback.frame);
  vi.unstubAllGlobals();
});

test("while the viewer plays, the exact frame is its frame", () => {
  const { playback } = open();
  playback.follow(shown(40));
  expect(playback.exactFrame).toBe(40);
});

test("loops backwards from the start of the trim to its end", () => {
  const hand = manualTimers();
  const { draft, playback } = open();
  playback.playBackwards();
  expect([playback.frame, playback.backwards]).toEqual([59, true]);
  hand.tick(500);
  expect(playback.frame).toBe(44);
  hand.tick(1000);
  expect(playback.frame).toBe(59);
  draft.change({ loops: false });
  hand.tick(2100);
  expect([playback.frame, playback.playing, playback.backwards]).toEqual([30, false, false]);
  vi.unstubAllGlobals();
});

test("a handle that passes the playhead moves it", () => {
  const hand = manualTimers();
  const { draft, playback } = open();
  draft.change({ loops: false });
  playback.play();
  hand.tick(0);
  draft.trimStart(50);
  hand.tick(0);
  expect([playback.frame, playback.playing]).toEqual([50, true]);
  playback.playBackwards();
  hand.tick(0);
  draft.trimStart(10);
  draft.trimEnd(40);
  hand.tick(0);
  expect([playback.frame, playback.playing]).toEqual([39, true]);
  vi.unstubAllGlobals();
});

test("ignores outdated reports while playing backwards", () => {
  const { host, playback } = open();
  playback.follow(shown(40));
  playback.playBackwards();
  expect(host.viewerPlayBackwards).toHaveBeenCalledTimes(1);
  // a report sent before the viewer received the request
  playback.follow(shown(41));
  expect([playback.playing, playback.backwards]).toEqual([true, true]);
  playback.follow(shown(39, true, true));
  expect(playback.frame).toBe(39);
  playback.follow(shown(30, true, true));
  playback.follow(shown(59, true, true));
  expect(playback.frame).toBe(59);
  playback.follow(shown(30, false));
  expect([playback.frame, playback.playing, playback.backwards]).toEqual([30, false, false]);
  expect(host.viewerSeek).not.toHaveBeenCalled();
});

test("follows the direction of the viewer", () => {
  const { playback } = open();
  playback.follow(shown(40, true, true));
  expect([playback.playing, playback.backwards]).toEqual([true, true]);
  playback.follow(shown(41));
  expect([playback.playing, playback.backwards]).toEqual([true, false]);
});

test("plays in the viewer as one of several clips", () => {
  const { playback } = open();
  playback.follow({ ...shown(40), clips: ["other", "clip"] });
  expect([playback.inViewer, playback.frame]).toEqual([true, 40]);
});
