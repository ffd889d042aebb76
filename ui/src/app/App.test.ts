import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { Listener } from "../host";
import { FakeHost } from "../host/fake";
import { sentence } from "../host/fake-failure";
import App from "./App.svelte";
import { neverEndsMs } from "./test-timers";

beforeEach(() => {
  // happy-dom has no top layer
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
});

function open(query: string): FakeHost {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host });
  return host;
}

const generate = () => screen.findByRole("button", { name: /generate/i });

test("from the first start to a clip that plays", async () => {
  const user = userEvent.setup();
  const host = open("");
  await user.click(await screen.findByRole("button", { name: "Continue on this computer" }));
  await user.click(await screen.findByRole("button", { name: "Jumps twice, then bows" }));
  await user.click(await generate());
  const card = await screen.findByRole("article", { name: /^Clip: Jumps twice/ });
  await user.click(within(card).getByRole("button", { name: "Play" }));
  expect(host.played).toHaveLength(1);
});

test("events that arrive during loading are newer than the loaded state", async () => {
  const host = new FakeHost({ pace: 5, query: "?signedIn" });
  const now = await host.snapshot();
  host.snapshot = async () => ({ ...now, studio: { state: "starting", steps: [] }, session: { state: "unknown" } });
  let listener: Listener | undefined;
  host.listen = async (own) => {
    listener = own;
    return () => undefined;
  };
  host.clips = async () => {
    listener?.studio(now.studio);
    listener?.session(now.session);
    return [];
  };
  render(App, { host });
  await generate();
});

test("a late answer to a submission does not overwrite the job's final state", async () => {
  const user = userEvent.setup();
  const host = open("?signedIn");
  const submit = host.submitPrompt.bind(host);
  host.submitPrompt = async (...request) => {
    const begun = await submit(...request);
    await waitFor(async () => expect((await host.jobs())[0]?.state.state).toBe("done"));
    return begun;
  };
  await user.type(await screen.findByLabelText("What should the character do?"), "a person jumps");
  await screen.findByText("Ada", { selector: "label span" });
  await user.click(await generate());
  await screen.findByRole("article", { name: /^Clip: a person jumps/i });
  await user.click(screen.getByRole("button", { name: "Queue" }));
  expect(await screen.findByText(/^Done ·/)).toBeTruthy();
});

test("explains an unknown action and keeps the prompt", async () => {
  const user = userEvent.setup();
  open("?signedIn");
  const box = await screen.findByLabelText("What should the character do?");
  await screen.findByText("Ada", { selector: "label span" });
  await user.type(box, "asdf");
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(await screen.findByRole("alert")).toHaveProperty(
    "textContent",
    expect.stringContaining("nearest are walk"),
  );
  expect(box).toHaveProperty("value", "asdf");
});

/** Submits a job on which the worker never makes progress. */
async function generateWithoutProgress(host: FakeHost, user: ReturnType<typeof userEvent.setup>, prompt: string): Promise<void> {
  const submit = host.submitPrompt.bind(host);
  host.submitPrompt = async (...request) => {
    const begun = await submit(...request);
    host.pace = neverEndsMs;
    return begun;
  };
  await user.type(await screen.findByLabelText("What should the character do?"), prompt);
  await screen.findByText("Ada", { selector: "label span" });
  await user.click(await generate());
  await screen.findByRole("progressbar", { name: `Progress of ${prompt}` });
}

test("Escape cancels no job, but the job's button does", async () => {
  const user = userEvent.setup();
  const host = open("?signedIn");
  await generateWithoutProgress(host, user, "walks");
  await user.keyboard("{Escape}{Escape}");
  expect((await host.jobs())[0]?.state.state).not.toBe("cancelled");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  await user.click(screen.getByRole("button", { name: /^Queue/ }));
  expect(await screen.findByText(/^Cancelled/)).toBeTruthy();
});

test("asks for confirmation before cancelling a job that has done much work", async () => {
  const user = userEvent.setup();
  const host = open("?signedIn");
  await generateWithoutProgress(host, user, "walks");
  await screen.findByText(/Generating motion|Preparing/);
  const later = Date.now() + 42_000;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => later);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  const confirmation = await screen.findByRole("dialog", { name: "Cancel this job?" });
  expect(confirmation.textContent).toMatch(/worked on “walks” for 4\d s/);
  await user.click(within(confirmation).getByRole("button", { name: "Keep running" }));
  expect((await host.jobs())[0]?.state.state).not.toBe("cancelled");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Cancel job" }));
  await waitFor(async () => expect((await host.jobs())[0]?.state.state).toBe("cancelled"));
  clock.mockRestore();
});

test("restores scroll positions, and the search of the library", async () => {
  const user = userEvent.setup();
  open("?signedIn&clips=200");
  await user.click(await screen.findByRole("button", { name: "Library" }));
  await user.type(await screen.findByLabelText("Search clips"), "dances");
  const box = screen.getByRole("main");
  box.scrollTop = 700;
  await fireEvent.scroll(box);
  await user.click(screen.getByRole("button", { name: "Settings" }));
  await waitFor(() => expect(box.scrollTop).toBe(0));
  await user.click(screen.getByRole("button", { name: "Library" }));
  await waitFor(() => expect(box.scrollTop).toBe(700));
  expect(screen.getByLabelText("Search clips")).toHaveProperty("value", "dances");
});

test("dismisses the deletion toast when the clip is restored or permanently deleted", async () => {
  const user = userEvent.setup();
  const host = open("?signedIn");
  await user.click(await screen.findByRole("button", { name: "Library" }));
  const remove = async () => {
    await user.click(await screen.findByRole("checkbox", { name: /^Clip: Dances happily/ }));
    await user.keyboard("{Delete}");
    await screen.findByText("1 clip was deleted.");
  };
  await remove();
  const [binned] = await host.binnedClips();
  await host.restoreClips([binned?.id ?? ""]);
  await waitFor(() => expect(screen.queryByText("1 clip was deleted.")).toBeNull());
  await remove();
  await user.click(screen.getByRole("button", { name: "Trash" }));
  await user.click(await screen.findByRole("button", { name: "Empty trash" }));
  await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
  await waitFor(() => expect(screen.queryByText("1 clip was deleted.")).toBeNull());
});

test("Escape closes the newest toast, then the trash", async () => {
  const user = userEvent.setup();
  open("?signedIn");
  await user.click(await screen.findByRole("button", { name: "Library" }));
  await user.click(await screen.findByRole("checkbox", { name: /^Clip: Dances happily/ }));
  await user.keyboard("{Delete}");
  await screen.findByText("1 clip was deleted.");
  await user.click(screen.getByRole("button", { name: "Trash" }));
  await screen.findByRole("list", { name: "Deleted clips" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByText("1 clip was deleted.")).toBeNull());
  expect(screen.getByRole("list", { name: "Deleted clips" })).toBeTruthy();
  await user.keyboard("{Escape}");
  expect(await screen.findByRole("list", { name: "Clips" })).toBeTruthy();
});

test("the queue shows the clips that jobs made and opens them", async () => {
  const user = userEvent.setup();
  open("?signedIn");
  await user.type(await screen.findByLabelText("What should the character do?"), "jumps high");
  await screen.findByText("Ada", { selector: "label span" });
  await user.click(await generate());
  await user.click(screen.getByRole("button", { name: /^Queue/ }));
  await user.click(await screen.findByRole("button", { name: "Open result: jumps high" }));
  expect(await screen.findByRole("article", { name: "Editing: jumps high" })).toBeTruthy();
});

test("confirms a sign-up with the mail on this computer", async () => {
  const user = userEvent.setup();
  open("");
  await user.click(await screen.findByRole("button", { name: "Create one" }));
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Create account" }));
  await user.click((await screen.findAllByRole("button", { name: /^Mail on this computer/ }))[0]!);
  await user.click(await screen.findByRole("button", { name: /Confirm Your Signup/ }));
  await user.click(await screen.findByRole("button", { name: "Confirm your mail" }));
  expect(await screen.findByText("ada@example.com", { selector: ".person" })).toBeTruthy();
});

test("reports an invalid email address before sending it", async () => {
  const user = userEvent.setup();
  open("");
  await user.type(await screen.findByLabelText("Email"), "nobody");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText(/Enter a valid email address/)).toBeTruthy();
});

test("shows why the studio did not start, and retries", async () => {
  const user = userEvent.setup();
  open("?failed");
  expect(await screen.findByRole("alert")).toHaveProperty(
    "textContent",
    expect.stringContaining("PostgreSQL is missing"),
  );
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("button", { name: "Continue on this computer" })).toBeTruthy();
});

test("applies the chosen theme to the page", async () => {
  const user = userEvent.setup();
  open("?signedIn");
  await screen.findByRole("button", { name: "Library" });
  await user.click(screen.getByRole("button", { name: "Settings" }));
  await user.click(screen.getByRole("radio", { name: "Light" }));
  await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("light"));
  await user.click(screen.getByRole("radio", { name: "High contrast" }));
  await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("contrast"));
});

test("shows earlier errors once after loading", async () => {
  const host = new FakeHost({ pace: 5 });
  const error = { code: "signedOut" as const, message: sentence("This computer's keychain is locked."), detail: null };
  host.problems = [error];
  const listen = host.listen.bind(host);
  // a problem reported between listening and the snapshot is part of both
  host.listen = async (listener) => {
    const stop = await listen(listener);
    const late = { ...error, message: sentence("The session has ended.") };
    listener.problem(late);
    host.problems.push(late);
    return stop;
  };
  render(App, { host });
  await screen.findByText("This computer's keychain is locked.");
  expect(screen.getAllByText("The session has ended.")).toHaveLength(1);
});
