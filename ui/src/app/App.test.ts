import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Listener } from "../host";
import { FakeHost } from "../host/fake";
import { said } from "../host/fake-failure";
import App from "./App.svelte";
import { never } from "./patience";

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

test("escape cancels the newest job", async () => {
  const person = userEvent.setup();
  const host = open("?signedIn");
  const submit = host.submitPrompt.bind(host);
  host.submitPrompt = async (...request) => {
    const begun = await submit(...request);
    host.pace = never;
    return begun;
  };
  await person.type(await screen.findByLabelText("What should the character do?"), "walks");
  await screen.findByText("Ada", { selector: "label span" });
  await person.click(await generate());
  await screen.findByRole("progressbar", { name: "Progress of walks" });
  await person.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  await person.click(screen.getByRole("button", { name: /^Queue/ }));
  expect(await screen.findByText(/^Cancelled/)).toBeTruthy();
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
  // one that is told between listening and asking stands in the answer, too
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
