import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FakeHost } from "../host/fake";
import { fakeCode } from "../host/fake-accounts";
import { HostError, type FactorView } from "../host";
import App from "./App.svelte";
import { neverEndsMs } from "./test-timers";

function open(query: string): { host: FakeHost; user: ReturnType<typeof userEvent.setup> } {
  const host = new FakeHost({ pace: 5, query });
  render(App, { host });
  return { host, user: userEvent.setup() };
}

const press = async (user: ReturnType<typeof userEvent.setup>, name: string | RegExp) =>
  user.click((await screen.findAllByRole("button", { name }))[0]!);

async function openAccount(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  await press(user, /^Account/);
  await screen.findByRole("region", { name: "Active sessions" });
}

test("shows only the sign-in methods that the studio offers", async () => {
  open("");
  await screen.findByRole("button", { name: "Continue on this computer" });
  expect(screen.getByRole("button", { name: "Email me a link" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Text me a code" })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Continue with/ })).toBeNull();
});

test("requests the sign-in options once per screen", async () => {
  const { host, user } = open("");
  const options = vi.spyOn(host.accounts, "options");
  const account = vi.spyOn(host.accounts, "account");
  await press(user, "Continue on this computer");
  await press(user, /^Account/);
  await screen.findByRole("heading", { name: "Create an account" });
  // a repeated request starts only once there is an answer
  await Promise.all([...options.mock.results, ...account.mock.results].map(({ value }) => value));
  await new Promise((resolve) => setTimeout(resolve));
  expect(options).toHaveBeenCalledTimes(1);
  expect(account).toHaveBeenCalledTimes(1);
});

test("a server offers more methods, and no use without an account", async () => {
  open("?server");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  expect(screen.getByRole("button", { name: "Text me a code" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Continue (on|without)/ })).toBeNull();
});

test("resets a forgotten password by mail", async () => {
  const { host, user } = open("");
  await host.accounts.signUp("ada@example.com", "forgotten");
  await press(user, "Forgot password?");
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await press(user, "Email me a reset link");
  await screen.findByText(/If ada@example.com has an account/);
  await press(user, /^Mail on this computer/);
  await press(user, /Reset Your Password/);
  await press(user, "Reset password");
  await screen.findByRole("heading", { name: "Choose a new password" });
  await user.type(screen.getByLabelText("New password"), "forgotten");
  await press(user, "Save new password");
  expect((await screen.findByRole("alert")).textContent).toContain("Choose another");
  await user.type(screen.getByLabelText("New password"), " no more");
  await press(user, "Save new password");
  expect(await screen.findByText("ada@example.com", { selector: ".person" })).toBeTruthy();
});

test("signs in with a text message code and requires a country code", async () => {
  const { user } = open("?server");
  await press(user, "Text me a code");
  await user.type(screen.getByLabelText("Phone number"), "0170 1234567");
  await press(user, "Text me a code");
  expect((await screen.findByRole("alert")).textContent).toContain("country");
  await user.clear(screen.getByLabelText("Phone number"));
  await user.type(screen.getByLabelText("Phone number"), "+49 170 1234567");
  await press(user, "Text me a code");
  await user.type(await screen.findByLabelText("Code"), fakeCode);
  await press(user, "Sign in");
  expect(await screen.findByText("+491701234567", { selector: ".person" })).toBeTruthy();
});

test("waits for the browser, and can retry or cancel", async () => {
  const { host, user } = open("?server");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  host.pace = neverEndsMs;
  const opened = vi.spyOn(host.accounts, "openProvider");
  await press(user, "Continue with GitHub");
  await screen.findByRole("heading", { name: "Continue in your browser" });
  await press(user, "Open browser again");
  expect(opened).toHaveBeenCalledTimes(2);
  host.pace = 5;
  await press(user, "Cancel");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  await press(user, "Continue with GitHub");
  expect(await screen.findByText("ada@example.com", { selector: ".person" })).toBeTruthy();
});

test("dismisses the sign-in toast on sign-out", async () => {
  const { user } = open("?server");
  await press(user, "Continue with GitHub");
  await screen.findByText("You are signed in.");
  await press(user, "Account");
  await press(user, "Sign out");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  expect(screen.queryByText("You are signed in.")).toBeNull();
});

test("sets up a second factor, asks for it at the next sign-in, and removes it", async () => {
  const { user } = open("?signedIn=ada@example.com");
  await openAccount(user);
  await press(user, "Set up");
  await screen.findByRole("img", { name: /QR code for your authenticator/ });
  await user.type(screen.getByLabelText("Code"), "000000");
  await press(user, "Turn on");
  expect((await screen.findByRole("alert")).textContent).toContain("wrong");
  await user.type(screen.getByLabelText("Code"), fakeCode);
  await press(user, "Turn on");
  await screen.findByRole("button", { name: "Remove Authenticator" });

  await press(user, "Sign out");
  await screen.findByRole("button", { name: "Continue on this computer" });
  await user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await press(user, "Sign in");
  await user.type(await screen.findByLabelText("Code"), fakeCode);
  expect(screen.queryByRole("navigation")).toBeNull();
  await press(user, "Confirm");
  await openAccount(user);
  await press(user, "Remove Authenticator");
  await screen.findByRole("button", { name: "Set up" });
});

test("sets up the authenticator app directly where phones are not offered", async () => {
  const { user } = open("?signedIn=ada@example.com");
  await openAccount(user);
  await press(user, "Set up");
  await screen.findByRole("img", { name: /QR code for your authenticator/ });
  expect(screen.queryByRole("radio")).toBeNull();
});

async function openPhoneFactor(): Promise<ReturnType<typeof open>> {
  const { host, user } = open("?signedIn=ada@example.com&server");
  await openAccount(user);
  await press(user, "Set up");
  await user.click(screen.getByRole("radio", { name: "Text message" }));
  return { host, user };
}

test("adds a phone as second factor, asks for it at the next sign-in, and removes it", async () => {
  const { host, user } = await openPhoneFactor();
  await user.type(screen.getByLabelText("Phone number"), "0170 1234567");
  await press(user, "Text me a code");
  expect((await screen.findByRole("alert")).textContent).toContain("country");
  await user.clear(screen.getByLabelText("Phone number"));
  await user.type(screen.getByLabelText("Phone number"), "+49 170 1234567");
  await press(user, "Text me a code");
  await screen.findByText("We sent a code to +491701234567 by text message. Enter it here.");
  await user.type(screen.getByLabelText("Code"), "000000");
  await press(user, "Turn on");
  expect((await screen.findByRole("alert")).textContent).toContain("newest message");
  expect(screen.queryByRole("button", { name: "Remove Phone" })).toBeNull();
  await user.type(screen.getByLabelText("Code"), fakeCode);
  await press(user, "Turn on");
  await screen.findByText(/^Phone \(…567\), since/);
  await screen.findByRole("button", { name: "Add another" });
  expect(screen.queryByText(/1701234567/)).toBeNull();

  await press(user, "Sign out");
  await screen.findByRole("button", { name: "Continue with GitHub" });
  await user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await press(user, "Sign in");
  await screen.findByRole("heading", { name: "Verification code" });
  const texted = vi.spyOn(host.accounts, "textFactor");
  await press(user, "Text me a code");
  expect(texted).toHaveBeenCalledTimes(1);
  await user.type(await screen.findByLabelText("Code"), fakeCode);
  await press(user, "Confirm");
  await openAccount(user);
  await press(user, "Remove Phone");
  await screen.findByRole("button", { name: "Set up" });
});

test("shows the waiting time after requesting codes too quickly, and keeps the phone number", async () => {
  const { host, user } = await openPhoneFactor();
  const begun = vi.spyOn(host.accounts, "beginPhoneFactor");
  await user.type(screen.getByLabelText("Phone number"), "+49 170 1234576");
  await press(user, "Text me a code");
  await screen.findByText(/\+491701234576/);
  const soon = "For security purposes, you can only request this after 42 seconds.";
  const again = vi
    .spyOn(host.accounts, "textFactor")
    .mockRejectedValueOnce(new HostError({ code: "serviceRefused", message: soon, detail: null }));
  await press(user, "Send a new code");
  expect((await screen.findByRole("alert")).textContent).toContain("42 seconds");
  await press(user, "Send a new code");
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(again).toHaveBeenCalledTimes(2);
  await press(user, "Use another number");
  expect(screen.getByLabelText<HTMLInputElement>("Phone number").value).toBe("+49 170 1234576");
  await user.type(screen.getByLabelText("Phone number"), "{Backspace}{Backspace}67");
  await press(user, "Text me a code");
  await screen.findByText(/\+491701234567/);
  expect(begun).toHaveBeenCalledTimes(2);
  await user.type(screen.getByLabelText("Code"), fakeCode);
  await press(user, "Turn on");
  await screen.findByText(/^Phone \(…567\)/);
});

test("changes nothing if a phone cannot receive text messages", async () => {
  const { host, user } = await openPhoneFactor();
  const failed = "The text message could not be sent. Check the number and try again.";
  vi.spyOn(host.accounts, "beginPhoneFactor").mockRejectedValue(
    new HostError({ code: "serviceRefused", message: failed, detail: null }),
  );
  await user.type(screen.getByLabelText("Phone number"), "+49 170 1234567");
  await press(user, "Text me a code");
  expect((await screen.findByRole("alert")).textContent).toContain("could not be sent");
  await press(user, "Cancel");
  await screen.findByRole("button", { name: "Set up" });
  expect(screen.queryByRole("alert")).toBeNull();
});

test("allows a phone in addition to an authenticator app", async () => {
  const { user } = open("?signedIn=ada@example.com&server");
  await openAccount(user);
  await press(user, "Set up");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Authenticator app" }).checked).toBe(true);
  await press(user, "Continue");
  await user.type(await screen.findByLabelText("Code"), fakeCode);
  await press(user, "Turn on");
  await screen.findByRole("button", { name: "Remove Authenticator" });
  await press(user, "Add another");
  await user.click(screen.getByRole("radio", { name: "Text message" }));
  await user.type(screen.getByLabelText("Phone number"), "+49 170 1234567");
  await press(user, "Text me a code");
  await user.type(await screen.findByLabelText("Code"), fakeCode);
  await press(user, "Turn on");
  await screen.findByRole("button", { name: "Remove Phone" });
  expect(screen.getByRole("button", { name: "Remove Authenticator" })).toBeTruthy();
});

const adaEmail = "ada@example.com";
const factors: Record<"app" | "phone" | "work", FactorView> = {
  app: { id: "f1", name: "Authenticator", kind: "app", ends: "", addedAt: "2026-05-01T10:00:00Z" },
  phone: { id: "f2", name: "Phone", kind: "phone", ends: "567", addedAt: "2026-05-02T10:00:00Z" },
  work: { id: "f3", name: "Phone 2", kind: "phone", ends: "890", addedAt: "2026-05-03T10:00:00Z" },
};

async function openSecondFactor(...chosen: FactorView[]): Promise<ReturnType<typeof open>> {
  const { host, user } = open("?server");
  host.accounts.protect(adaEmail, chosen);
  await user.type(await screen.findByLabelText("Email"), adaEmail);
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await press(user, "Sign in");
  await screen.findByRole("heading", { name: "Verification code" });
  return { host, user };
}

test("with a phone as only factor, sends a code on request", async () => {
  const { host, user } = await openSecondFactor(factors.phone);
  const texted = vi.spyOn(host.accounts, "textFactor");
  expect(screen.queryByRole("radiogroup")).toBeNull();
  expect(screen.getByText(/the number ending in 567/)).toBeTruthy();
  expect(screen.queryByLabelText("Code")).toBeNull();
  await press(user, "Text me a code");
  await screen.findByText(/We texted a code to the number ending in 567/);
  expect(texted.mock.calls).toEqual([["f2"]]);
  await user.type(screen.getByLabelText("Code"), "000000");
  await press(user, "Confirm");
  expect((await screen.findByRole("alert")).textContent).toContain("newest message");
  await press(user, "Send a new code");
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(texted.mock.calls).toEqual([["f2"], ["f2"]]);
  expect(screen.queryByRole("navigation")).toBeNull();
  await user.type(screen.getByLabelText("Code"), fakeCode);
  await press(user, "Confirm");
  expect(await screen.findByText(adaEmail, { selector: ".person" })).toBeTruthy();
});

test("after requesting another code too soon, shows why and still accepts the first", async () => {
  const { host, user } = await openSecondFactor(factors.phone);
  await press(user, "Text me a code");
  const field = await screen.findByLabelText("Code");
  const soon = "For security purposes, you can only request this after 42 seconds.";
  vi.spyOn(host.accounts, "textFactor").mockRejectedValue(
    new HostError({ code: "serviceRefused", message: soon, detail: null }),
  );
  await press(user, "Send a new code");
  expect((await screen.findByRole("alert")).textContent).toContain("42 seconds");
  await user.type(field, fakeCode);
  await press(user, "Confirm");
  expect(await screen.findByText(adaEmail, { selector: ".person" })).toBeTruthy();
});

test("accepts a code that was sent earlier without sending another", async () => {
  const { host, user } = await openSecondFactor(factors.phone);
  await host.accounts.textFactor("f2");
  const texted = vi.spyOn(host.accounts, "textFactor");
  await press(user, "I have a code");
  await user.type(await screen.findByLabelText("Code"), fakeCode);
  await press(user, "Confirm");
  expect(await screen.findByText(adaEmail, { selector: ".person" })).toBeTruthy();
  expect(texted).not.toHaveBeenCalled();
});

test("prefers the authenticator app, and lets the user choose a phone", async () => {
  const { host, user } = await openSecondFactor(factors.app, factors.phone, factors.work);
  const [byApp, byText] = [vi.spyOn(host.accounts, "enterCode"), vi.spyOn(host.accounts, "enterFactorCode")];
  const options = within(screen.getByRole("radiogroup", { name: "Get the code from" }));
  const words = options.getAllByRole("radio").map((radio) => radio.parentElement?.textContent.trim());
  expect(words).toEqual(["Authenticator app", "Text to …567", "Text to …890"]);
  expect(screen.getByText(/that your authenticator app shows for ada/)).toBeTruthy();
  await user.click(options.getByRole("radio", { name: "Text to …890" }));
  await press(user, "Text me a code");
  await user.type(await screen.findByLabelText("Code"), fakeCode);
  await press(user, "Confirm");
  expect(await screen.findByText(adaEmail, { selector: ".person" })).toBeTruthy();
  expect(byText).toHaveBeenCalledWith("f3", fakeCode);
  expect(byApp).not.toHaveBeenCalled();
});

test("changes the email address after both links were followed", async () => {
  const { user } = open("?signedIn=ada@example.com");
  await openAccount(user);
  await press(user, "Change email");
  await user.type(screen.getByLabelText("New email"), "ada@work.example");
  await press(user, "Send confirmation links");
  await screen.findByText(/ada@work.example is not confirmed yet/);
  for (const to of ["ada@work.example", "ada@example.com"]) {
    await press(user, /^Mail on this computer/);
    const letters = await screen.findAllByRole("button", { name: /Confirm Email Change/ });
    await user.click(letters[to === "ada@work.example" ? 0 : 1]!);
    await press(user, "Confirm the change");
    if (to === "ada@work.example") {
      await screen.findByText(/open the link that we sent to the other address/);
      await press(user, "Close");
    }
  }
  expect(await screen.findByText("ada@work.example", { selector: ".person" })).toBeTruthy();
});

test("ends single sessions, then all others", async () => {
  const { user } = open("?signedIn=ada@example.com");
  await openAccount(user);
  await press(user, /^Sign out Limber 0.1.0, 192.0.2.7/);
  await waitFor(() => expect(screen.queryByText(/192.0.2.7/)).toBeNull());
  await press(user, "Sign out everywhere");
  expect(await screen.findByRole("button", { name: "Continue on this computer" })).toBeTruthy();
});

test("links and unlinks identity providers", async () => {
  const { user } = open("?signedIn=ada@example.com&server");
  await openAccount(user);
  await press(user, "Add GitHub");
  await screen.findByText(/sign in to GitHub on the page that opened/);
  await press(user, "Remove GitHub");
  await screen.findByRole("button", { name: "Add GitHub" });
});

test("an invitation link signs in only after confirmation", async () => {
  const { host, user } = open("?server");
  await screen.findByRole("button", { name: "Email me a link" });
  host.accounts.invite("eve@example.com");
  await screen.findByRole("heading", { name: "Sign in as eve@example.com?" });
  expect(screen.getByText(/The sender of the link could see everything/)).toBeTruthy();
  await press(user, "No, don’t sign in");
  await screen.findByRole("button", { name: "Email me a link" });
  host.accounts.invite("eve@example.com");
  await press(user, "Yes, this is me");
  await screen.findByRole("heading", { name: "Choose a new password" });
});
