import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FakeHost } from "../host/fake";
import { fakeCode } from "../host/fake-accounts";
import { HostError, type FactorShown } from "../host";
import App from "./App.svelte";
import { never } from "./patience";

function open(query: string): { host: FakeHost; person: ReturnType<typeof userEvent.setup> } {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host });
  return { host, person: userEvent.setup() };
}

const press = async (person: ReturnType<typeof userEvent.setup>, name: string | RegExp) =>
  person.click((await screen.findAllByRole("button", { name }))[0]!);

async function toAccount(person: ReturnType<typeof userEvent.setup>): Promise<void> {
  await press(person, /^Account/);
  await screen.findByRole("region", { name: "Active sessions" });
}

test("only the ways that the studio offers are there", async () => {
  open("");
  await screen.findByRole("button", { name: "Continue on this computer" });
  expect(screen.getByRole("button", { name: "Email me a link" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Text me a code" })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Continue with/ })).toBeNull();
});

test("a screen asks once for what it shows", async () => {
  const { host, person } = open("");
  const options = vi.spyOn(host.accounts, "options");
  const account = vi.spyOn(host.accounts, "account");
  await press(person, "Continue on this computer");
  await press(person, /^Account/);
  await screen.findByRole("heading", { name: "Create an account" });
  // a repeated request starts only once there is an answer
  await Promise.all([...options.mock.results, ...account.mock.results].map(({ value }) => value));
  await new Promise((resolve) => setTimeout(resolve));
  expect(options).toHaveBeenCalledTimes(1);
  expect(account).toHaveBeenCalledTimes(1);
});

test("a server offers others, and no work without an account", async () => {
  open("?server");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  expect(screen.getByRole("button", { name: "Text me a code" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Continue (on|without)/ })).toBeNull();
});

test("a forgotten password is replaced by way of the mail", async () => {
  const { host, person } = open("");
  await host.accounts.signUp("ada@example.com", "forgotten");
  await press(person, "Forgot password?");
  await person.type(screen.getByLabelText("Email"), "ada@example.com");
  await press(person, "Email me a reset link");
  await screen.findByText(/If ada@example.com has an account/);
  await press(person, /^Mail on this computer/);
  await press(person, /Reset Your Password/);
  await press(person, "Reset password");
  await screen.findByRole("heading", { name: "Choose a new password" });
  await person.type(screen.getByLabelText("New password"), "forgotten");
  await press(person, "Save new password");
  expect((await screen.findByRole("alert")).textContent).toContain("Choose another");
  await person.type(screen.getByLabelText("New password"), " no more");
  await press(person, "Save new password");
  expect(await screen.findByText("ada@example.com", { selector: ".person" })).toBeTruthy();
});

test("a code of a text message signs in, and a number needs its country", async () => {
  const { person } = open("?server");
  await press(person, "Text me a code");
  await person.type(screen.getByLabelText("Phone number"), "0170 1234567");
  await press(person, "Text me a code");
  expect((await screen.findByRole("alert")).textContent).toContain("country");
  await person.clear(screen.getByLabelText("Phone number"));
  await person.type(screen.getByLabelText("Phone number"), "+49 170 1234567");
  await press(person, "Text me a code");
  await person.type(await screen.findByLabelText("Code"), fakeCode);
  await press(person, "Sign in");
  expect(await screen.findByText("+491701234567", { selector: ".person" })).toBeTruthy();
});

test("a browser is waited for, opened again and given up", async () => {
  const { host, person } = open("?server");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  host.pace = never;
  const opened = vi.spyOn(host.accounts, "openProvider");
  await press(person, "Continue with GitHub");
  await screen.findByRole("heading", { name: "Continue in your browser" });
  await press(person, "Open browser again");
  expect(opened).toHaveBeenCalledTimes(2);
  host.pace = 5;
  await press(person, "Cancel");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  await press(person, "Continue with GitHub");
  expect(await screen.findByText("ada@example.com", { selector: ".person" })).toBeTruthy();
});

test("who signs out is no longer told to be signed in", async () => {
  const { person } = open("?server");
  await press(person, "Continue with GitHub");
  await screen.findByText("You are signed in.");
  await press(person, "Account");
  await press(person, "Sign out");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  expect(screen.queryByText("You are signed in.")).toBeNull();
});

test("a second factor is set up, asked for at the next sign-in, and removed", async () => {
  const { person } = open("?signedIn=ada@example.com");
  await toAccount(person);
  await press(person, "Set up");
  await screen.findByRole("img", { name: /QR code for your authenticator/ });
  await person.type(screen.getByLabelText("Code"), "000000");
  await press(person, "Turn on");
  expect((await screen.findByRole("alert")).textContent).toContain("wrong");
  await person.type(screen.getByLabelText("Code"), fakeCode);
  await press(person, "Turn on");
  await screen.findByRole("button", { name: "Remove Authenticator" });

  await press(person, "Sign out");
  await screen.findByRole("button", { name: "Continue on this computer" });
  await person.type(await screen.findByLabelText("Email"), "ada@example.com");
  await person.type(screen.getByLabelText("Password"), "correct horse");
  await press(person, "Sign in");
  await person.type(await screen.findByLabelText("Code"), fakeCode);
  expect(screen.queryByRole("navigation")).toBeNull();
  await press(person, "Confirm");
  await toAccount(person);
  await press(person, "Remove Authenticator");
  await screen.findByRole("button", { name: "Set up" });
});

test("where no phone is offered the authenticator app is set up at once", async () => {
  const { person } = open("?signedIn=ada@example.com");
  await toAccount(person);
  await press(person, "Set up");
  await screen.findByRole("img", { name: /QR code for your authenticator/ });
  expect(screen.queryByRole("radio")).toBeNull();
});

async function toPhoneFactor(): Promise<ReturnType<typeof open>> {
  const { host, person } = open("?signedIn=ada@example.com&server");
  await toAccount(person);
  await press(person, "Set up");
  await person.click(screen.getByRole("radio", { name: "Text message" }));
  return { host, person };
}

test("a phone is added as second factor, asked for at the next sign-in, and removed", async () => {
  const { host, person } = await toPhoneFactor();
  await person.type(screen.getByLabelText("Phone number"), "0170 1234567");
  await press(person, "Text me a code");
  expect((await screen.findByRole("alert")).textContent).toContain("country");
  await person.clear(screen.getByLabelText("Phone number"));
  await person.type(screen.getByLabelText("Phone number"), "+49 170 1234567");
  await press(person, "Text me a code");
  await screen.findByText("We sent a code to +491701234567 by text message. Enter it here.");
  await person.type(screen.getByLabelText("Code"), "000000");
  await press(person, "Turn on");
  expect((await screen.findByRole("alert")).textContent).toContain("newest message");
  expect(screen.queryByRole("button", { name: "Remove Phone" })).toBeNull();
  await person.type(screen.getByLabelText("Code"), fakeCode);
  await press(person, "Turn on");
  await screen.findByText(/^Phone \(…567\), since/);
  await screen.findByRole("button", { name: "Add another" });
  expect(screen.queryByText(/1701234567/)).toBeNull();

  await press(person, "Sign out");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  await person.type(await screen.findByLabelText("Email"), "ada@example.com");
  await person.type(screen.getByLabelText("Password"), "correct horse");
  await press(person, "Sign in");
  await screen.findByRole("heading", { name: "Verification code" });
  const texted = vi.spyOn(host.accounts, "textFactor");
  await press(person, "Text me a code");
  expect(texted).toHaveBeenCalledTimes(1);
  await person.type(await screen.findByLabelText("Code"), fakeCode);
  await press(person, "Confirm");
  await toAccount(person);
  await press(person, "Remove Phone");
  await screen.findByRole("button", { name: "Set up" });
});

test("who asks too soon for another code reads how long to wait, and no other number was lost", async () => {
  const { host, person } = await toPhoneFactor();
  const begun = vi.spyOn(host.accounts, "beginPhoneFactor");
  await person.type(screen.getByLabelText("Phone number"), "+49 170 1234576");
  await press(person, "Text me a code");
  await screen.findByText(/\+491701234576/);
  const soon = "For security purposes, you can only request this after 42 seconds.";
  const again = vi
    .spyOn(host.accounts, "textFactor")
    .mockRejectedValueOnce(new HostError({ code: "serviceRefused", message: soon, detail: null }));
  await press(person, "Send a new code");
  expect((await screen.findByRole("alert")).textContent).toContain("42 seconds");
  await press(person, "Send a new code");
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(again).toHaveBeenCalledTimes(2);
  await press(person, "Use another number");
  expect(screen.getByLabelText<HTMLInputElement>("Phone number").value).toBe("+49 170 1234576");
  await person.type(screen.getByLabelText("Phone number"), "{Backspace}{Backspace}67");
  await press(person, "Text me a code");
  await screen.findByText(/\+491701234567/);
  expect(begun).toHaveBeenCalledTimes(2);
  await person.type(screen.getByLabelText("Code"), fakeCode);
  await press(person, "Turn on");
  await screen.findByText(/^Phone \(…567\)/);
});

test("a phone that cannot be texted leaves everything as it was", async () => {
  const { host, person } = await toPhoneFactor();
  const failed = "The text message could not be sent. Check the number and try again.";
  vi.spyOn(host.accounts, "beginPhoneFactor").mockRejectedValue(
    new HostError({ code: "serviceRefused", message: failed, detail: null }),
  );
  await person.type(screen.getByLabelText("Phone number"), "+49 170 1234567");
  await press(person, "Text me a code");
  expect((await screen.findByRole("alert")).textContent).toContain("could not be sent");
  await press(person, "Cancel");
  await screen.findByRole("button", { name: "Set up" });
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a phone stands beside an authenticator app", async () => {
  const { person } = open("?signedIn=ada@example.com&server");
  await toAccount(person);
  await press(person, "Set up");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Authenticator app" }).checked).toBe(true);
  await press(person, "Continue");
  await person.type(await screen.findByLabelText("Code"), fakeCode);
  await press(person, "Turn on");
  await screen.findByRole("button", { name: "Remove Authenticator" });
  await press(person, "Add another");
  await person.click(screen.getByRole("radio", { name: "Text message" }));
  await person.type(screen.getByLabelText("Phone number"), "+49 170 1234567");
  await press(person, "Text me a code");
  await person.type(await screen.findByLabelText("Code"), fakeCode);
  await press(person, "Turn on");
  await screen.findByRole("button", { name: "Remove Phone" });
  expect(screen.getByRole("button", { name: "Remove Authenticator" })).toBeTruthy();
});

const ada = "ada@example.com";
const factors: Record<"app" | "phone" | "work", FactorShown> = {
  app: { id: "f1", name: "Authenticator", kind: "app", ends: "", addedAt: "2026-05-01T10:00:00Z" },
  phone: { id: "f2", name: "Phone", kind: "phone", ends: "567", addedAt: "2026-05-02T10:00:00Z" },
  work: { id: "f3", name: "Phone 2", kind: "phone", ends: "890", addedAt: "2026-05-03T10:00:00Z" },
};

async function toGate(...chosen: FactorShown[]): Promise<ReturnType<typeof open>> {
  const { host, person } = open("?server");
  host.accounts.protect(ada, chosen);
  await person.type(await screen.findByLabelText("Email"), ada);
  await person.type(screen.getByLabelText("Password"), "correct horse");
  await press(person, "Sign in");
  await screen.findByRole("heading", { name: "Verification code" });
  return { host, person };
}

test("who has only a phone as second factor is texted a code when they ask for it", async () => {
  const { host, person } = await toGate(factors.phone);
  const texted = vi.spyOn(host.accounts, "textFactor");
  expect(screen.queryByRole("radiogroup")).toBeNull();
  expect(screen.getByText(/the number ending in 567/)).toBeTruthy();
  expect(screen.queryByLabelText("Code")).toBeNull();
  await press(person, "Text me a code");
  await screen.findByText(/We texted a code to the number ending in 567/);
  expect(texted.mock.calls).toEqual([["f2"]]);
  await person.type(screen.getByLabelText("Code"), "000000");
  await press(person, "Confirm");
  expect((await screen.findByRole("alert")).textContent).toContain("newest message");
  await press(person, "Send a new code");
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(texted.mock.calls).toEqual([["f2"], ["f2"]]);
  expect(screen.queryByRole("navigation")).toBeNull();
  await person.type(screen.getByLabelText("Code"), fakeCode);
  await press(person, "Confirm");
  expect(await screen.findByText(ada, { selector: ".person" })).toBeTruthy();
});

test("who asks for another code too soon reads why and still can write the one there is", async () => {
  const { host, person } = await toGate(factors.phone);
  await press(person, "Text me a code");
  const field = await screen.findByLabelText("Code");
  const soon = "For security purposes, you can only request this after 42 seconds.";
  vi.spyOn(host.accounts, "textFactor").mockRejectedValue(
    new HostError({ code: "serviceRefused", message: soon, detail: null }),
  );
  await press(person, "Send a new code");
  expect((await screen.findByRole("alert")).textContent).toContain("42 seconds");
  await person.type(field, fakeCode);
  await press(person, "Confirm");
  expect(await screen.findByText(ada, { selector: ".person" })).toBeTruthy();
});

test("a code that was texted before is written without another message", async () => {
  const { host, person } = await toGate(factors.phone);
  await host.accounts.textFactor("f2");
  const texted = vi.spyOn(host.accounts, "textFactor");
  await press(person, "I have a code");
  await person.type(await screen.findByLabelText("Code"), fakeCode);
  await press(person, "Confirm");
  expect(await screen.findByText(ada, { selector: ".person" })).toBeTruthy();
  expect(texted).not.toHaveBeenCalled();
});

test("an authenticator app comes first, and phones beside it can be chosen", async () => {
  const { host, person } = await toGate(factors.app, factors.phone, factors.work);
  const [byApp, byText] = [vi.spyOn(host.accounts, "enterCode"), vi.spyOn(host.accounts, "enterFactorCode")];
  const ways = within(screen.getByRole("radiogroup", { name: "Get the code from" }));
  const words = ways.getAllByRole("radio").map((radio) => radio.parentElement?.textContent.trim());
  expect(words).toEqual(["Authenticator app", "Text to …567", "Text to …890"]);
  expect(screen.getByText(/that your authenticator app shows for ada/)).toBeTruthy();
  await person.click(ways.getByRole("radio", { name: "Text to …890" }));
  await press(person, "Text me a code");
  await person.type(await screen.findByLabelText("Code"), fakeCode);
  await press(person, "Confirm");
  expect(await screen.findByText(ada, { selector: ".person" })).toBeTruthy();
  expect(byText).toHaveBeenCalledWith("f3", fakeCode);
  expect(byApp).not.toHaveBeenCalled();
});

test("another address waits for both links", async () => {
  const { person } = open("?signedIn=ada@example.com");
  await toAccount(person);
  await press(person, "Change email");
  await person.type(screen.getByLabelText("New email"), "ada@work.example");
  await press(person, "Send confirmation links");
  await screen.findByText(/ada@work.example is not confirmed yet/);
  for (const to of ["ada@work.example", "ada@example.com"]) {
    await press(person, /^Mail on this computer/);
    const letters = await screen.findAllByRole("button", { name: /Confirm Email Change/ });
    await person.click(letters[to === "ada@work.example" ? 0 : 1]!);
    await press(person, "Confirm the change");
    if (to === "ada@work.example") {
      await screen.findByText(/open the link that we sent to the other address/);
      await press(person, "Close");
    }
  }
  expect(await screen.findByText("ada@work.example", { selector: ".person" })).toBeTruthy();
});

test("other sessions end from here, and then all of them", async () => {
  const { person } = open("?signedIn=ada@example.com");
  await toAccount(person);
  await press(person, /^Sign out Limber 0.1.0, 192.0.2.7/);
  await waitFor(() => expect(screen.queryByText(/192.0.2.7/)).toBeNull());
  await press(person, "Sign out everywhere");
  expect(await screen.findByRole("button", { name: "Continue on this computer" })).toBeTruthy();
});

test("services are linked and taken off again", async () => {
  const { person } = open("?signedIn=ada@example.com&server");
  await toAccount(person);
  await press(person, "Add GitHub");
  await screen.findByText(/sign in to GitHub on the page that opened/);
  await press(person, "Remove GitHub");
  await screen.findByRole("button", { name: "Add GitHub" });
});

test("an invitation signs nobody in before they say that it is theirs", async () => {
  const { host, person } = open("?server");
  await screen.findByRole("button", { name: "Email me a link" });
  host.accounts.invite("eve@example.com");
  await screen.findByRole("heading", { name: "Sign in as eve@example.com?" });
  expect(screen.getByText(/The sender of the link could see everything/)).toBeTruthy();
  await press(person, "No, don’t sign in");
  await screen.findByRole("button", { name: "Email me a link" });
  host.accounts.invite("eve@example.com");
  await press(person, "Yes, this is me");
  await screen.findByRole("heading", { name: "Choose a new password" });
});
