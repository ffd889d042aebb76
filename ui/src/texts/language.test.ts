import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import App from "../app/App.svelte";
import BackdropPicker from "../features/video/BackdropPicker.svelte";
import { FakeHost } from "../host/fake";
import { formatCredits } from "../shared/credits";
import { formatFileSize } from "../shared/file-size";
import { formatAge, formatLength } from "../shared/time-labels";
import { language, preferred, t } from "./index";

afterEach(() => language.choose("system"));

test("uses the first known of the preferred languages, English otherwise", () => {
  expect(preferred(["de-AT", "en"])).toBe("de");
  expect(preferred(["fr-CA", "de"])).toBe("de");
  expect(preferred(["DE"])).toBe("de");
  expect(preferred(["fr", "nds", "deu"])).toBe("en");
  expect(preferred([])).toBe("en");
});

test("uses the system's region for dates, also if it has none", () => {
  const prefers = (...tags: string[]): void => {
    vi.spyOn(navigator, "languages", "get").mockReturnValue(tags);
    dispatchEvent(new Event("languagechange"));
  };
  prefers("fr", "de-AT");
  expect([language.now, language.locale]).toEqual(["de", "de-AT"]);
  language.choose("en");
  expect([language.now, language.locale]).toEqual(["en", "en"]);
  prefers("en-GB");
  expect(formatAge("2026-03-08T12:00:00Z", new Date("2026-05-10T12:00:00Z"))).toBe("8 Mar 2026");
  language.choose("system");
  for (const odd of ["C", "en_US.UTF-8", "en-", ""]) {
    prefers(odd);
    expect([language.now, language.locale]).toEqual(["en", "en"]);
  }
  vi.restoreAllMocks();
  dispatchEvent(new Event("languagechange"));
});

test("numbers, dates and plurals follow the language", () => {
  const now = new Date("2026-05-10T12:00:00Z");
  expect(formatLength(45, 30)).toBe("1.5 s · 45 frames");
  expect(formatAge("2026-03-08T12:00:00Z", now)).toBe("Mar 8, 2026");
  language.choose("de");
  expect(formatLength(45, 30)).toBe("1,5 s · 45 Frames");
  expect(formatLength(1, 10)).toBe("0,1 s · 1 Frame");
  expect(formatFileSize(7_540_000)).toBe("7,5 MB");
  expect(formatCredits(12.5)).toBe("12,5 Credits");
  expect(formatCredits(1)).toBe("1 Credit");
  expect(formatAge("2026-03-08T12:00:00Z", now)).toBe("08.03.2026");
  expect(formatAge("2026-05-07T11:00:00Z", now)).toBe("vor 3 Tagen");
  expect(t("app.toast.deleted", { count: 1 })).toBe("1 Clip wurde gelöscht.");
});

test("generates a first clip in German", async () => {
  const host = new FakeHost({ pace: 5, query: "" });
  await host.setLanguage("de", "en");
  render(App, { host });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Auf diesem Rechner weiter" }));
  await user.click(await screen.findByRole("button", { name: "Jumps twice, then bows" }));
  await user.click(await screen.findByRole("button", { name: /^Generieren/ }));
  const card = await screen.findByRole("article", { name: "Clip: Jumps twice, then bows, Variante 1" });
  await user.click(within(card).getByRole("button", { name: "Abspielen" }));
  expect(host.played).toHaveLength(1);
});

test("known backdrops have translated names, others keep their own", async () => {
  language.choose("de");
  const backdrops = [
    { id: "Red_Carpet", name: "Red Carpet", picture: null },
    { id: "Beach", name: "Beach", picture: null },
  ];
  render(BackdropPicker, { backdrops, value: null, color: "#fff", onchoose: () => undefined });
  expect(screen.getByRole("radio", { name: "Roter Teppich" })).toBeTruthy();
  expect(screen.getByRole("radio", { name: "Beach" })).toBeTruthy();
});

test("the choice applies at once, keeps all input, and is saved with the settings", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  render(App, { host });
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText("What should the character do?"), "walks");
  await user.click(screen.getByRole("button", { name: "Settings" }));
  expect(document.documentElement.lang).toBe("en");
  await user.click(screen.getByRole("radio", { name: "Deutsch" }));
  expect(await screen.findByRole("heading", { name: "Einstellungen" })).toBeTruthy();
  await waitFor(() => expect(document.documentElement.lang).toBe("de"));
  expect((await host.snapshot()).settings).toMatchObject({ language: "de", spoken: "de" });
  await user.click(screen.getByRole("button", { name: "Studio" }));
  expect(await screen.findByLabelText("Was soll der Charakter tun?")).toHaveProperty("value", "walks");
  expect(screen.getByText(/Prompts schreibst du auf Englisch/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Einstellungen" }));
  await user.click(screen.getByRole("radio", { name: "English" }));
  expect(await screen.findByRole("heading", { name: "Settings" })).toBeTruthy();
});

test("tells the app the language of the window if it has changed", async () => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["de-AT", "en"]);
  dispatchEvent(new Event("languagechange"));
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  const set = vi.spyOn(host, "setLanguage");
  render(App, { host });
  await waitFor(async () => expect((await host.snapshot()).settings).toMatchObject({ language: "system", spoken: "de" }));
  expect(set).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
  dispatchEvent(new Event("languagechange"));
  await waitFor(async () => expect((await host.snapshot()).settings.spoken).toBe("en"));
});

test("edits of a clip are described and found in German", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  await host.setLanguage("de", "de");
  render(App, { host, start: { page: "library" } });
  const user = userEvent.setup();
  const clips = await screen.findByRole("list", { name: "Clips" });
  expect(within(clips).getByText(/neu generiert/)).toBeTruthy();
  await user.type(screen.getByRole("searchbox"), "verbunden");
  await waitFor(() => expect(within(screen.getByRole("list", { name: "Clips" })).getAllByRole("article")).toHaveLength(1));
});
