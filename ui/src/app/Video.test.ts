import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HostError } from "../host";
import { FakeHost } from "../host/fake";
import App from "./App.svelte";
import { manualTimers } from "./test-timers";

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

afterEach(() => void vi.useRealTimers());

const whole = { id: "job-3.1", trimLeft: 0, trimRight: 0 };

async function open(query = "?signedIn") {
  const host = new FakeHost({ pace: 5, query });
  const stills = vi.spyOn(host, "videoStill");
  render(App, { host, start: { page: "library" } });
  const user = userEvent.setup();
  const card = await screen.findByRole("article", { name: /^Clip: Dances happily/ });
  await user.click(within(card).getByRole("button", { name: "Render video" }));
  const dialog = await screen.findByRole("dialog", { name: "Render video" });
  await within(dialog).findByRole("radio", { name: "Beach" });
  return { host, stills, user, dialog };
}

test("previews the chosen options, once for several quick changes", async () => {
  const { stills, dialog } = await open();
  await within(dialog).findByRole("img", { name: /^Preview at 3.00 s/ });
  const before = stills.mock.calls.length;
  const angle = within(dialog).getByRole("slider", { name: "Angle" });
  const beach = within(dialog).getByRole("radio", { name: "Beach" });
  vi.useFakeTimers(manualTimers);
  for (const value of ["-30", "-40", "-50"]) {
    await fireEvent.input(angle, { target: { value } });
    await vi.advanceTimersByTimeAsync(200);
  }
  await fireEvent.click(beach);
  await vi.advanceTimersByTimeAsync(200);
  expect(stills).toHaveBeenCalledTimes(before);
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  expect(stills).toHaveBeenCalledTimes(before + 1);
  expect(stills.mock.lastCall).toEqual([
    expect.objectContaining({ clip: whole, angleDeg: -50, backdrop: "beach", color: null }),
    90,
  ]);
  await fireEvent.input(within(dialog).getByRole("slider", { name: "Preview time" }), { target: { value: "12" } });
  await waitFor(() => expect(stills.mock.lastCall?.[1]).toBe(12));
});

test("submits a video with its size and format, queues it, and reports when it is saved", async () => {
  const { host, user, dialog } = await open();
  await user.click(within(dialog).getByRole("radio", { name: "Solid colour" }));
  await user.click(within(dialog).getByRole("radio", { name: "Green screen" }));
  await user.click(within(dialog).getByRole("radio", { name: "Vertical" }));
  await user.click(within(dialog).getByRole("radio", { name: "GIF" }));
  await user.click(within(dialog).getByRole("radio", { name: "25" }));
  await user.click(within(dialog).getByRole("checkbox", { name: "Shadow on the floor" }));
  await user.click(within(dialog).getByRole("button", { name: "Choose location and render" }));
  expect(await screen.findByText("The video was saved as video.gif.")).toBeTruthy();
  const show = vi.spyOn(host, "showPlace").mockResolvedValue();
  await user.click(screen.getByRole("button", { name: "Show in folder" }));
  expect(show.mock.calls).toEqual([[3]]);
  expect(host.videoRequests).toEqual([
    {
      clip: whole,
      camera: "cinematic",
      angleDeg: 20,
      color: "#00b140",
      backdrop: null,
      shadow: false,
      width: 1080,
      height: 1920,
      fps: 25,
      container: "gif",
    },
  ]);
  expect(screen.queryByRole("dialog")).toBeNull();
  // it was about a video that is ready by now
  await waitFor(() => expect(screen.queryByText("The video is being rendered.")).toBeNull());
  await user.click(screen.getByRole("button", { name: /^Queue/ }));
  expect(await screen.findByText(/Done · video/)).toBeTruthy();
  expect(await host.clips()).toHaveLength(5);
});

test("shows where a video is that could not be saved to the chosen place", async () => {
  const { host, user, dialog } = await open();
  const show = vi.spyOn(host, "showPlace").mockResolvedValue();
  host.saveError = { code: "diskFull", message: "The disk is full there.", detail: null };
  await user.click(within(dialog).getByRole("button", { name: "Choose location and render" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("The disk is full there.");
  await user.click(within(alert).getByRole("button", { name: "Show in folder" }));
  expect(show.mock.calls).toEqual([[4]]);
  await waitFor(() => expect(screen.queryByText(/disk is full/)).toBeNull());
});

test("a video respects the current trim", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  const draft = { trimLeft: 40, trimRight: 20, painted: [], inPlace: false, loops: true, speed: 1 };
  await host.keepDraft("job-3.1", draft);
  render(App, { host, start: { page: "library" } });
  const user = userEvent.setup();
  const card = await screen.findByRole("article", { name: /^Clip: Dances happily/ });
  await user.click(within(card).getByRole("button", { name: "Render video" }));
  const dialog = await screen.findByRole("dialog", { name: "Render video" });
  expect(await within(dialog).findByText(/trimmed, 4.0 s/)).toBeTruthy();
  expect(within(dialog).getByRole("slider", { name: "Preview time" })).toMatchObject({ min: "40", max: "159" });
  await user.click(within(dialog).getByRole("button", { name: "Choose location and render" }));
  await waitFor(() => expect(host.videoRequests).toMatchObject([{ clip: { ...whole, trimLeft: 40, trimRight: 20 } }]));
});

test("reports an invalid size before submission", async () => {
  const { user, dialog } = await open();
  await user.click(within(dialog).getByRole("radio", { name: "Custom" }));
  const width = within(dialog).getByRole("spinbutton", { name: "Width in pixels" });
  await user.clear(width);
  await user.type(width, "721");
  expect(await within(dialog).findByText(/Enter even numbers/)).toBeTruthy();
  expect(within(dialog).getByRole("button", { name: /render$/ })).toHaveProperty("disabled", true);
});

test("shows why a video was refused and keeps its options", async () => {
  const { host, user, dialog } = await open();
  const full = new HostError({ code: "diskFull", message: "The disk is full. Make room and try again.", detail: null });
  vi.spyOn(host, "renderVideo").mockRejectedValueOnce(full);
  await user.click(within(dialog).getByRole("radio", { name: "Square" }));
  await user.click(within(dialog).getByRole("button", { name: /render$/ }));
  expect(await within(dialog).findByText(/disk is full/)).toBeTruthy();
  expect(within(dialog).getByRole("radio", { name: "Square" })).toHaveProperty("checked", true);
});

test("a shortcut opens the dialog in the editor", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host, start: { edit: 2 } });
  await screen.findByRole("slider", { name: "Playhead" });
  await userEvent.setup().keyboard("{Control>}{Shift>}e{/Shift}{/Control}");
  expect(await screen.findByRole("dialog", { name: "Render video" })).toBeTruthy();
});

test("asks for agreement if the price of a video was not known yet", async () => {
  const { host, user, dialog } = await open("?signedIn&credits=5");
  vi.spyOn(host, "videoPrice").mockRejectedValueOnce(new Error("no answer"));
  await user.click(within(dialog).getByRole("radio", { name: "Square" }));
  await user.click(within(dialog).getByRole("button", { name: "Choose location and render" }));
  expect(await within(dialog).findByText(/costs 3 credits\. Nothing was charged yet/)).toBeTruthy();
  expect(host.videoRequests).toEqual([]);
  await user.click(await within(dialog).findByRole("button", { name: /render · 3 credits/ }));
  await waitFor(() => expect(host.videoRequests).toHaveLength(1));
});

test("shows the price of a video on the button", async () => {
  const { dialog } = await open("?signedIn&credits=5");
  await within(dialog).findByRole("button", { name: /Choose location and render · 3 credits/ });
});
