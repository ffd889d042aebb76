import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { Listener } from "../host";
import { FakeHost } from "../host/fake";
import { said } from "../host/fake-failure";
import App from "./App.svelte";
import { never } from "./patience";

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
  const person = userEvent.setup();
  const host = open("");
  await person.click(await screen.findByRole("button", { name: "Continue on this computer" }));
  await person.click(await screen.findByRole("button", { name: "Jumps twice, then bows" }));
  await person.click(await generate());
  const card = await screen.findByRole("article", { name: /^Clip: Jumps twice/ });
  await person.click(within(card).getByRole("button", { name: "Play" }));
  expect(host.played).toHaveLength(1);
});

test("what is told while the page asks is newer than the answer", async () => {
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

test("how a job ended is not overruled by the answer that it was handed in", async () => {
  const person = userEvent.setup();
  const host = open("?signedIn");
  const submit = host.submitPrompt.bind(host);
  host.submitPrompt = async (...request) => {
    const begun = await submit(...request);
    await waitFor(async () => expect((await host.jobs())[0]?.state.state).toBe("done"));
    return begun;
  };
  await person.type(await screen.findByLabelText("What should the character do?"), "a person jumps");
  await screen.findByText("Ada", { selector: "label span" });
  await person.click(await generate());
  await screen.findByRole("article", { name: /^Clip: a person jumps/i });
  await person.click(screen.getByRole("button", { name: "Queue" }));
  expect(await screen.findByText(/^Done ·/)).toBeTruthy();
});

test("an unknown action is told beside the prompt, which stays", async () => {
  const person = userEvent.setup();
  open("?signedIn");
  const box = await screen.findByLabelText("What should the character do?");
  await screen.findByText("Ada", { selector: "label span" });
  await person.type(box, "asdf");
  await person.keyboard("{Control>}{Enter}{/Control}");
  expect(await screen.findByRole("alert")).toHaveProperty(
    "textContent",
    expect.stringContaining("nearest are walk"),
  );
  expect(box).toHaveProperty("value", "asdf");
});

/** Submits a job on which the worker never makes progress. */
async function generateAndStay(host: FakeHost, person: ReturnType<typeof userEvent.setup>, prompt: string): Promise<void> {
  const submit = host.submitPrompt.bind(host);
  host.submitPrompt = async (...request) => {
    const begun = await submit(...request);
    host.pace = never;
    return begun;
  };
  await person.type(await screen.findByLabelText("What should the character do?"), prompt);
  await screen.findByText("Ada", { selector: "label span" });
  await person.click(await generate());
  await screen.findByRole("progressbar", { name: `Progress of ${prompt}` });
}

test("escape cancels no job; the job's own button does", async () => {
  const person = userEvent.setup();
  const host = open("?signedIn");
  await generateAndStay(host, person, "walks");
  await person.keyboard("{Escape}{Escape}");
  expect((await host.jobs())[0]?.state.state).not.toBe("cancelled");
  await person.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  await person.click(screen.getByRole("button", { name: /^Queue/ }));
  expect(await screen.findByText(/^Cancelled/)).toBeTruthy();
});

test("cancelling a job asks first when much work would be lost", async () => {
  const person = userEvent.setup();
  const host = open("?signedIn");
  await generateAndStay(host, person, "walks");
  await screen.findByText(/Generating motion|Preparing/);
  const later = Date.now() + 42_000;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => later);
  await person.click(screen.getByRole("button", { name: "Cancel" }));
  const question = await screen.findByRole("dialog", { name: "Cancel this job?" });
  expect(question.textContent).toMatch(/worked on “walks” for 4\d s/);
  await person.click(within(question).getByRole("button", { name: "Keep running" }));
  expect((await host.jobs())[0]?.state.state).not.toBe("cancelled");
  await person.click(screen.getByRole("button", { name: "Cancel" }));
  await person.click(await screen.findByRole("button", { name: "Cancel job" }));
  await waitFor(async () => expect((await host.jobs())[0]?.state.state).toBe("cancelled"));
  clock.mockRestore();
});

test("each room is found where it was left, and the library as it was searched", async () => {
  const person = userEvent.setup();
  open("?signedIn&clips=200");
  await person.click(await screen.findByRole("button", { name: "Library" }));
  await person.type(await screen.findByLabelText("Search clips"), "dances");
  const box = screen.getByRole("main");
  box.scrollTop = 700;
  await fireEvent.scroll(box);
  await person.click(screen.getByRole("button", { name: "Settings" }));
  await waitFor(() => expect(box.scrollTop).toBe(0));
  await person.click(screen.getByRole("button", { name: "Library" }));
  await waitFor(() => expect(box.scrollTop).toBe(700));
  expect(screen.getByLabelText("Search clips")).toHaveProperty("value", "dances");
});

test("a message that a clip was deleted ends when the clip is back, or gone for good", async () => {
  const person = userEvent.setup();
  const host = open("?signedIn");
  await person.click(await screen.findByRole("button", { name: "Library" }));
  const remove = async () => {
    await person.click(await screen.findByRole("checkbox", { name: /^Clip: Dances happily/ }));
    await person.keyboard("{Delete}");
    await screen.findByText("1 clip was deleted.");
  };
  await remove();
  const [binned] = await host.binnedClips();
  await host.restoreClips([binned?.id ?? ""]);
  await waitFor(() => expect(screen.queryByText("1 clip was deleted.")).toBeNull());
  await remove();
  await person.click(screen.getByRole("button", { name: "Trash" }));
  await person.click(await screen.findByRole("button", { name: "Empty trash" }));
  await person.click(await screen.findByRole("button", { name: "Delete permanently" }));
  await waitFor(() => expect(screen.queryByText("1 clip was deleted.")).toBeNull());
});

test("escape closes the newest message, then the trash", async () => {
  const person = userEvent.setup();
  open("?signedIn");
  await person.click(await screen.findByRole("button", { name: "Library" }));
  await person.click(await screen.findByRole("checkbox", { name: /^Clip: Dances happily/ }));
  await person.keyboard("{Delete}");
  await screen.findByText("1 clip was deleted.");
  await person.click(screen.getByRole("button", { name: "Trash" }));
  await screen.findByRole("list", { name: "Deleted clips" });
  await person.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByText("1 clip was deleted.")).toBeNull());
  expect(screen.getByRole("list", { name: "Deleted clips" })).toBeTruthy();
  await person.keyboard("{Escape}");
  expect(await screen.findByRole("list", { name: "Clips" })).toBeTruthy();
});

test("the queue shows what jobs made, and leads there", async () => {
  const person = userEvent.setup();
  open("?signedIn");
  await person.type(await screen.findByLabelText("What should the character do?"), "jumps high");
  await screen.findByText("Ada", { selector: "label span" });
  await person.click(await generate());
  await person.click(screen.getByRole("button", { name: /^Queue/ }));
  await person.click(await screen.findByRole("button", { name: "Open result: jumps high" }));
  expect(await screen.findByRole("article", { name: "Editing: jumps high" })).toBeTruthy();
});

test("signing up is confirmed by the mail on this computer", async () => {
  const person = userEvent.setup();
  open("");
  await person.click(await screen.findByRole("button", { name: "Create one" }));
  await person.type(screen.getByLabelText("Email"), "ada@example.com");
  await person.type(screen.getByLabelText("Password"), "correct horse");
  await person.click(screen.getByRole("button", { name: "Create account" }));
  await person.click((await screen.findAllByRole("button", { name: /^Mail on this computer/ }))[0]!);
  await person.click(await screen.findByRole("button", { name: /Confirm Your Signup/ }));
  await person.click(await screen.findByRole("button", { name: "Confirm your mail" }));
  expect(await screen.findByText("ada@example.com", { selector: ".person" })).toBeTruthy();
});

test("a wrong email is told before anything is sent", async () => {
  const person = userEvent.setup();
  open("");
  await person.type(await screen.findByLabelText("Email"), "nobody");
  await person.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText(/Enter a valid email address/)).toBeTruthy();
});

test("a studio that does not start says why and can be tried again", async () => {
  const person = userEvent.setup();
  open("?failed");
  expect(await screen.findByRole("alert")).toHaveProperty(
    "textContent",
    expect.stringContaining("PostgreSQL is missing"),
  );
  await person.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("button", { name: "Continue on this computer" })).toBeTruthy();
});

test("the theme that was chosen is put on the page", async () => {
  const person = userEvent.setup();
  open("?signedIn");
  await screen.findByRole("button", { name: "Library" });
  await person.click(screen.getByRole("button", { name: "Settings" }));
  await person.click(screen.getByRole("radio", { name: "Light" }));
  await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("light"));
  await person.click(screen.getByRole("radio", { name: "High contrast" }));
  await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("contrast"));
});

test("what went wrong before the page listened is told, and once", async () => {
  const host = new FakeHost({ pace: 5 });
  const error = { code: "signedOut" as const, message: said("This computer's keychain is locked."), detail: null };
  host.problems = [error];
  const listen = host.listen.bind(host);
  // a problem reported between listening and the snapshot is part of both
  host.listen = async (listener) => {
    const stop = await listen(listener);
    const late = { ...error, message: said("The session has ended.") };
    listener.problem(late);
    host.problems.push(late);
    return stop;
  };
  render(App, { host });
  await screen.findByText("This computer's keychain is locked.");
  expect(screen.getAllByText("The session has ended.")).toHaveLength(1);
});
