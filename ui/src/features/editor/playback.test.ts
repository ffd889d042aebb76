import { expect, test, vi } from "vitest";
import type { ViewerShown } from "../../host";
import { DraftEdit } from "./draft.svelte";
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
  const draft = new DraftEdit("clip", 90);
  draft.trimStart(30);
  draft.trimEnd(60);
  const clock = { now: 0 };
  const attempt = (work: () => Promise<void>) => Promise.resolve(work());
  const playback = new Playback(draft, 30, host, attempt, () => clock.now);
  return { host, draft, clock, playback };
}

const shown = (frame: number, playing = true, backwards = false): ViewerShown => ({
  ...{ clips: ["clip"], frames: 90, fps: 30, layers: ["skin"], compared: 1 },
  ...{ frame, playing, backwards },
});

test("the playhead follows the viewer, which is told what to play and then left alone", () => {
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

test("the viewer is told anew what to play when it shows other clips, opens again, or is left", () => {
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

test("another clip in the viewer is not ours", () => {
  const { host, playback } = open();
  playback.follow({ ...shown(7), clips: ["other"] });
  playback.step(1);
  expect(playback.frame).toBe(31);
  expect(host.viewerSeek).not.toHaveBeenCalled();
});

test("without a viewer a clock of our own plays, at the chosen speed", () => {
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

test("old news of the viewer do not pull the playhead back", () => {
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
function byHand() {
  let tick: FrameRequestCallback = () => {};
  vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => {
    tick = call;
    return 1;
  });
  return { tick: (at: number) => tick(at) };
}

test("while it plays, the exact frame lies between frames, and never outside the trim", () => {
  const hand = byHand();
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

test("while the viewer plays, the exact frame is the one that it shows", () => {
  const { playback } = open();
  playback.follow(shown(40));
  expect(playback.exactFrame).toBe(40);
});

test("backwards it plays to the beginning of the trim and round again", () => {
  const hand = byHand();
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

test("a handle that passes the playhead takes it along", () => {
  const hand = byHand();
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

test("backwards in the viewer old news are passed over", () => {
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

test("backwards in the viewer's window is backwards here, and forwards again", () => {
  const { playback } = open();
  playback.follow(shown(40, true, true));
  expect([playback.playing, playback.backwards]).toEqual([true, true]);
  playback.follow(shown(41));
  expect([playback.playing, playback.backwards]).toEqual([true, false]);
});

test("in a row of clips the viewer plays this one too", () => {
  const { playback } = open();
  playback.follow({ ...shown(40), clips: ["other", "clip"] });
  expect([playback.inViewer, playback.frame]).toEqual([true, 40]);
});
