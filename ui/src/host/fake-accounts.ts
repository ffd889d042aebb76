import type { AccountHost } from "./account-host";
import { authenticatorPicture } from "./fake-examples";
import { HostError } from "./host";
import type {
  AccountView,
  AppError,
  FactorOffer,
  FactorView,
  LinkOutcome,
  PasswordOutcome,
  PhoneOffer,
  ProviderView,
  SessionState,
  SignInOptions,
  SignOutScope,
  SignUpOutcome,
} from "./bindings";

/** What the fake needs from the host around it. */
export interface FakeAccountsContext {
  wait(): Promise<void>;
  /** Delivers a mail; `follow` is what its link does. */
  post(to: string, subject: string, words: string, follow: () => LinkOutcome): void;
  session(state: SessionState): void;
  link(outcome: LinkOutcome): void;
}

type FakeAccount = {
  password: string | null;
  confirmed: boolean;
  view: AccountView;
};

/** The code in every message and authenticator of the fake. */
export const fakeCode = "123456";

const providers: ProviderView[] = [
  { id: "github", name: "GitHub" },
  { id: "google", name: "Google" },
];

/** An in-memory implementation of accounts. */
export class FakeAccounts implements AccountHost {
  private readonly context: FakeAccountsContext;
  private readonly onServer: boolean;
  private readonly accounts = new Map<string, FakeAccount>();
  private current: FakeAccount | null = null;
  private invited: FakeAccount | null = null;
  private waiting = 0;
  private count = 0;
  newPassword = false;

  constructor(context: FakeAccountsContext, onServer: boolean) {
    this.context = context;
    this.onServer = onServer;
  }

  /** Starts signed in with this email; null for an anonymous account. */
  begin(email: string | null): SessionState {
    this.current = email === null ? anonymous() : this.created(email, "correct horse", true);
    return this.state();
  }

  /** Sets the second factors of an account, which is created if necessary. */
  protect(email: string, factors: FactorView[]): void {
    (this.accounts.get(email) ?? this.created(email, "correct horse", true)).view.factors = factors;
  }

  /** Simulates an invitation link for this address. */
  invite(email: string): void {
    this.invited = this.accounts.get(email) ?? this.created(email, null, true);
    this.context.session({ state: "invited", who: this.invited.view.who });
    this.context.link("asked");
  }

  async acceptInvitation(): Promise<void> {
    await this.context.wait();
    const account = this.invited ?? fail("signInRefused", "The sign-in failed. Start it again here.");
    this.invited = null;
    this.newPassword = true;
    this.enter(account);
  }

  async declineInvitation(): Promise<void> {
    this.invited = null;
    this.context.session({ state: "signedOut" });
  }

  async options(): Promise<SignInOptions> {
    await this.context.wait();
    const isRemote = this.onServer;
    return { email: true, phone: isRemote, anonymous: !isRemote, signUp: true, providers: isRemote ? providers : [] };
  }

  async continueHere(): Promise<void> {
    await this.context.wait();
    this.enter(anonymous());
  }

  async signUp(email: string, password: string): Promise<SignUpOutcome> {
    await this.context.wait();
    const account = this.created(email, password, false);
    this.context.post(email, "Confirm Your Signup", "Confirm your mail", () => {
      account.confirmed = true;
      this.enter(account);
      return "signedIn";
    });
    return "confirmByMail";
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.context.wait();
    const account = this.accounts.get(email);
    if (!account || account.password !== password) {
      fail("signInRefused", "The email or password is wrong. Check both, or create an account.");
    }
    if (!account.confirmed) {
      fail("signInRefused", "This address is not confirmed yet. Open the link in the email we sent, then sign in.");
    }
    this.enter(account);
  }

  async mailLink(email: string): Promise<void> {
    await this.context.wait();
    this.context.post(email, "Your Magic Link", "Sign in", () => {
      this.enter(this.accounts.get(email) ?? this.created(email, null, true));
      return "signedIn";
    });
  }

  async enterMailedCode(email: string, code: string): Promise<void> {
    await this.context.wait();
    rightCode(code);
    this.enter(this.accounts.get(email) ?? this.created(email, null, true));
  }

  async textCode(phone: string): Promise<void> {
    await this.context.wait();
    number(phone);
  }

  async enterTextedCode(phone: string, code: string): Promise<void> {
    await this.context.wait();
    rightCode(code);
    const account = anonymous();
    account.view.who = { email: null, phone: number(phone), anonymous: false };
    this.enter(account);
  }

  async openProvider(id: string): Promise<void> {
    await this.context.wait();
    this.waiting += 1;
    const mine = this.waiting;
    for (let steps = 0; steps < 12; steps += 1) await this.context.wait();
    if (this.waiting === mine) this.cameBack(id);
  }

  async stopWaiting(): Promise<void> {
    this.waiting += 1;
  }

  private cameBack(id: string): void {
    const provider = providers.find((each) => each.id === id) ?? fail("notFound", "No such service.");
    const linked = { id: this.id(), provider, called: "ada", removable: true };
    if (this.current) {
      const view = this.current.view;
      view.identities = [...view.identities, linked].map((each) => ({ ...each, removable: true }));
      view.linkable = view.linkable.filter((each) => each.id !== id);
      if (view.who.anonymous) view.who = { email: "ada@example.com", phone: null, anonymous: false };
      this.tell();
      this.context.link("confirmed");
      return;
    }
    this.enter(this.created("ada@example.com", null, true));
    this.context.link("signedIn");
  }

  async recover(email: string): Promise<void> {
    await this.context.wait();
    const account = this.accounts.get(email);
    if (!account) return;
    this.context.post(email, "Reset Your Password", "Reset password", () => {
      account.confirmed = true;
      this.newPassword = true;
      this.enter(account);
      return "newPassword";
    });
  }

  async enterCode(code: string): Promise<void> {
    await this.context.wait();
    rightCode(code);
    this.proven = true;
    this.tell();
  }

  async textFactor(id: string): Promise<void> {
    await this.context.wait();
    this.texted.add(id);
  }

  async enterFactorCode(id: string, code: string): Promise<void> {
    await this.context.wait();
    this.rightText(id, code);
    this.proven = true;
    this.tell();
  }

  private rightText(id: string, code: string): void {
    if (!this.texted.has(id)) {
      fail("signInRefused", "Limber is no longer waiting for a code from this phone. Request a new one.");
    }
    if (!isRight(code)) {
      fail("signInRefused", "This code is not from the newest message. Check it, or request a new one.");
    }
    this.texted.delete(id);
  }

  async changePassword(
    password: string,
    _current: string | null,
    _code: string | null,
  ): Promise<PasswordOutcome> {
    await this.context.wait();
    const account = this.mine();
    if (account.password === password) {
      fail("badInput", "This is already your password. Choose another one.");
    }
    account.password = password;
    this.newPassword = false;
    this.tell();
    return "changed";
  }

  async keepPassword(): Promise<void> {
    this.newPassword = false;
    this.tell();
  }

  async account(): Promise<AccountView> {
    await this.context.wait();
    return structuredClone(this.mine().view);
  }

  async changeEmail(email: string): Promise<AccountView> {
    const view = this.mine().view;
    const before = view.who.email ?? null;
    view.newEmail = email;
    let confirmed = 0;
    const follow = (): LinkOutcome => {
      confirmed += 1;
      if (before !== null && confirmed === 1) return "oneMoreConfirmation";
      view.who = { ...view.who, email, anonymous: false };
      view.newEmail = null;
      this.tell();
      return "confirmed";
    };
    for (const to of before === null ? [email] : [before, email]) {
      this.context.post(to, "Confirm Email Change", "Confirm the change", follow);
    }
    return this.account();
  }

  async changePhone(phone: string): Promise<AccountView> {
    this.mine().view.newPhone = number(phone);
    return this.account();
  }

  async confirmPhone(phone: string, code: string): Promise<AccountView> {
    await this.context.wait();
    rightCode(code);
    const view = this.mine().view;
    view.who = { ...view.who, phone: number(phone) };
    view.newPhone = null;
    this.tell();
    return this.account();
  }

  async beginFactor(): Promise<FactorOffer> {
    await this.context.wait();
    return { id: this.id(), picture: authenticatorPicture(), secret: "JBSW Y3DP EHPK 3PXP JBSW Y3DP" };
  }

  async confirmFactor(id: string, code: string): Promise<AccountView> {
    await this.context.wait();
    rightCode(code);
    return this.added({ id, name: this.freeName("Authenticator"), kind: "app", ends: "" });
  }

  async beginPhoneFactor(phone: string): Promise<PhoneOffer> {
    await this.context.wait();
    const offer = { id: this.id(), phone: number(phone) };
    this.texted.add(offer.id);
    this.offers.set(offer.id, offer);
    return offer;
  }

  async confirmPhoneFactor(id: string, code: string): Promise<AccountView> {
    await this.context.wait();
    this.rightText(id, code);
    const { phone } = this.offers.get(id) ?? fail("notFound", "This is no longer part of your account.");
    return this.added({ id, name: this.freeName("Phone"), kind: "phone", ends: phone.slice(-3) });
  }

  private added(factor: Omit<FactorView, "addedAt">): Promise<AccountView> {
    const view = this.mine().view;
    view.factors = [...view.factors, { ...factor, addedAt: new Date().toISOString() }];
    this.proven = true;
    return this.account();
  }

  private freeName(first: string): string {
    const taken = this.mine().view.factors.filter(({ name }) => name.startsWith(first)).length;
    return taken ? `${first} ${taken + 1}` : first;
  }

  async removeFactor(id: string): Promise<AccountView> {
    const view = this.mine().view;
    view.factors = view.factors.filter((factor) => factor.id !== id);
    return this.account();
  }

  async unlink(id: string): Promise<AccountView> {
    const view = this.mine().view;
    const gone = view.identities.find((identity) => identity.id === id);
    view.identities = view.identities.filter((identity) => identity.id !== id);
    if (gone) view.linkable = [...view.linkable, gone.provider];
    if (view.identities.length === 1) view.identities[0]!.removable = false;
    return this.account();
  }

  async endSession(id: string): Promise<AccountView> {
    const view = this.mine().view;
    view.sessions = view.sessions?.filter((session) => session.id !== id) ?? null;
    return this.account();
  }

  async signOut(scope: SignOutScope): Promise<void> {
    await this.context.wait();
    if (scope !== "here" && this.current) {
      const view = this.current.view;
      view.sessions = view.sessions?.filter((session) => session.current) ?? null;
    }
    if (scope === "others") return;
    this.current = null;
    this.context.session({ state: "signedOut" });
  }

  private proven = false;
  /** Phone factors to which a code was sent. */
  private readonly texted = new Set<string>();
  /** Phones being added. */
  private readonly offers = new Map<string, PhoneOffer>();

  private enter(account: FakeAccount): void {
    this.current = account;
    this.proven = false;
    this.waiting += 1;
    this.tell();
  }

  private tell(): void {
    this.context.session(this.state());
  }

  private state(): SessionState {
    const { who, factors } = this.mine().view;
    if (factors.length && !this.proven) return { state: "needsCode", who, factors };
    if (this.newPassword) return { state: "needsPassword", who };
    return { state: "signedIn", who, remembered: true };
  }

  private mine(): FakeAccount {
    return this.current ?? fail("signedOut", "You are signed out. Sign in to continue.");
  }

  private created(email: string, password: string | null, confirmed: boolean): FakeAccount {
    const view = accountOf(email, this.onServer);
    const account = { password, confirmed, view };
    this.accounts.set(email, account);
    return account;
  }

  private id(): string {
    this.count += 1;
    return `account-${this.count}`;
  }
}

function accountOf(email: string | null, onServer: boolean): AccountView {
  const identity = { id: "email", provider: { id: "email", name: "Email" }, called: email, removable: false };
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  return {
    who: { email, phone: null, anonymous: email === null },
    newEmail: null,
    newPhone: null,
    factors: [],
    identities: email === null ? [] : [identity],
    linkable: onServer ? providers : [],
    phoneOffered: onServer,
    phoneFactorOffered: onServer,
    sessions: [
      { id: "s1", device: "Limber 0.1.0", address: "127.0.0.1", since: ago(2), usedAt: ago(0.2), current: true },
      { id: "s2", device: "Limber 0.1.0", address: "192.0.2.7", since: ago(60), usedAt: ago(30), current: false },
    ],
  };
}

function anonymous(): FakeAccount {
  return { password: null, confirmed: true, view: accountOf(null, false) };
}

function isRight(code: string): boolean {
  return code.replace(/\s/g, "") === fakeCode;
}

function rightCode(code: string): void {
  if (!isRight(code)) {
    fail("signInRefused", "This code is wrong. Wait for the next one and try again.");
  }
}

function number(phone: string): string {
  const bare = phone.replace(/[ \-().]/g, "");
  if (!/^\+[1-9]\d{7,14}$/.test(bare)) {
    fail("badInput", "Enter the number with its country code, such as +49 170 1234567.");
  }
  return bare;
}

function fail(code: AppError["code"], message: string): never {
  throw new HostError({ code, message, detail: null });
}
