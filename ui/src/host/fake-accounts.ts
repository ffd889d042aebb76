import type { AccountHost } from "./account-host";
import { accountOf, anonymous, bareNumber, providers, rightCode, type Kept } from "./fake-account-records";
import { FakeFactors } from "./fake-factors";
import { fail } from "./fake-failure";
import { FakeProfile } from "./fake-profile";
import type {
  AccountShown,
  FactorOffer,
  FactorShown,
  LinkOutcome,
  PasswordOutcome,
  PhoneOffer,
  SessionState,
  SignInOptions,
  SignOutScope,
  SignUpOutcome,
} from "./bindings";

/** What the fake asks of the host around it. */
export interface Around {
  wait(): Promise<void>;
  /** Puts a mail into the mailbox; `follow` is what its link does. */
  post(to: string, subject: string, words: string, follow: () => LinkOutcome): void;
  session(state: SessionState): void;
  link(outcome: LinkOutcome): void;
}

/** Accounts as the app has them, in memory. */
export class FakeAccounts implements AccountHost {
  private readonly around: Around;
  private readonly onServer: boolean;
  private readonly kept = new Map<string, Kept>();
  private current: Kept | null = null;
  private invited: Kept | null = null;
  private waiting = 0;
  private count = 0;
  newPassword = false;
  private readonly factors = new FakeFactors(
    () => this.mine().shown,
    () => this.id(),
  );
  private readonly profile = new FakeProfile(() => this.mine().shown, {
    post: (...mail) => this.around.post(...mail),
    tell: () => this.tell(),
  });

  constructor(around: Around, onServer: boolean) {
    this.around = around;
    this.onServer = onServer;
  }

  /** Somebody is signed in from the beginning. */
  begin(email: string | null): SessionState {
    this.current = email === null ? anonymous() : this.made(email, "correct horse", true);
    return this.state();
  }

  /** This account, made if need be, has these second factors from now on. */
  protect(email: string, factors: FactorShown[]): void {
    (this.kept.get(email) ?? this.made(email, "correct horse", true)).shown.factors = factors;
  }

  /** A link brings an invitation for this address. */
  invite(email: string): void {
    this.invited = this.kept.get(email) ?? this.made(email, null, true);
    this.around.session({ state: "invited", who: this.invited.shown.who });
    this.around.link("asked");
  }

  async acceptInvitation(): Promise<void> {
    await this.around.wait();
    const kept = this.invited ?? fail("signInRefused", "The sign-in did not work. Begin it again here.");
    this.invited = null;
    this.newPassword = true;
    this.enter(kept);
  }

  async declineInvitation(): Promise<void> {
    this.invited = null;
    this.around.session({ state: "signedOut" });
  }

  async options(): Promise<SignInOptions> {
    await this.around.wait();
    const away = this.onServer;
    return { email: true, phone: away, anonymous: !away, signUp: true, providers: away ? providers : [] };
  }

  async continueHere(): Promise<void> {
    await this.around.wait();
    this.enter(anonymous());
  }

  async signUp(email: string, password: string): Promise<SignUpOutcome> {
    await this.around.wait();
    const kept = this.made(email, password, false);
    this.around.post(email, "Confirm Your Signup", "Confirm your mail", () => {
      kept.confirmed = true;
      this.enter(kept);
      return "signedIn";
    });
    return "confirmByMail";
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.around.wait();
    const kept = this.kept.get(email);
    if (!kept || kept.password !== password) {
      fail("signInRefused", "The email or the password is wrong. Check both, or create an account.");
    }
    if (!kept.confirmed) {
      fail("signInRefused", "This address is not confirmed yet. Open the link in the mail we sent, then sign in.");
    }
    this.enter(kept);
  }

  async mailLink(email: string): Promise<void> {
    await this.around.wait();
    this.around.post(email, "Your Magic Link", "Sign in", () => {
      this.enter(this.kept.get(email) ?? this.made(email, null, true));
      return "signedIn";
    });
  }

  async enterMailedCode(email: string, code: string): Promise<void> {
    await this.around.wait();
    rightCode(code);
    this.enter(this.kept.get(email) ?? this.made(email, null, true));
  }

  async textCode(phone: string): Promise<void> {
    await this.around.wait();
    bareNumber(phone);
  }

  async enterTextedCode(phone: string, code: string): Promise<void> {
    await this.around.wait();
    rightCode(code);
    const kept = anonymous();
    kept.shown.who = { email: null, phone: bareNumber(phone), anonymous: false };
    this.enter(kept);
  }

  async openProvider(id: string): Promise<void> {
    await this.around.wait();
    this.waiting += 1;
    const mine = this.waiting;
    for (let steps = 0; steps < 12; steps += 1) await this.around.wait();
    if (this.waiting === mine) this.cameBack(id);
  }

  async stopWaiting(): Promise<void> {
    this.waiting += 1;
  }

  private cameBack(id: string): void {
    const provider = providers.find((each) => each.id === id) ?? fail("notFound", "No such service.");
    const linked = { id: this.id(), provider, called: "ada", removable: true };
    if (this.current) {
      this.profile.link(linked);
      this.around.link("confirmed");
      return;
    }
    this.enter(this.made("ada@example.com", null, true));
    this.around.link("signedIn");
  }

  async recover(email: string): Promise<void> {
    await this.around.wait();
    const kept = this.kept.get(email);
    if (!kept) return;
    this.around.post(email, "Reset Your Password", "Reset password", () => {
      kept.confirmed = true;
      this.newPassword = true;
      this.enter(kept);
      return "newPassword";
    });
  }

  async enterCode(code: string): Promise<void> {
    await this.around.wait();
    this.factors.enter(code);
    this.tell();
  }

  async textFactor(id: string): Promise<void> {
    await this.around.wait();
    this.factors.text(id);
  }

  async enterFactorCode(id: string, code: string): Promise<void> {
    await this.around.wait();
    this.factors.enterTexted(id, code);
    this.tell();
  }

  async changePassword(
    password: string,
    _current: string | null,
    _code: string | null,
  ): Promise<PasswordOutcome> {
    await this.around.wait();
    const kept = this.mine();
    if (kept.password === password) {
      fail("badInput", "This is the password you have already. Choose another one.");
    }
    kept.password = password;
    this.newPassword = false;
    this.tell();
    return "changed";
  }

  async keepPassword(): Promise<void> {
    this.newPassword = false;
    this.tell();
  }

  account = () => this.changed(() => {});
  changeEmail = (email: string) => this.changed(() => this.profile.changeEmail(email));
  changePhone = (phone: string) => this.changed(() => this.profile.changePhone(phone));
  confirmPhone = (phone: string, code: string) => this.changed(() => this.profile.confirmPhone(phone, code));
  confirmFactor = (id: string, code: string) => this.changed(() => this.factors.confirmApp(id, code));
  confirmPhoneFactor = (id: string, code: string) => this.changed(() => this.factors.confirmPhone(id, code));
  removeFactor = (id: string) => this.changed(() => this.factors.remove(id));
  unlink = (id: string) => this.changed(() => this.profile.unlink(id));
  endSession = (id: string) => this.changed(() => this.profile.endSession(id));

  async beginFactor(): Promise<FactorOffer> {
    await this.around.wait();
    return this.factors.offerApp();
  }

  async beginPhoneFactor(phone: string): Promise<PhoneOffer> {
    await this.around.wait();
    return this.factors.offerPhone(phone);
  }

  async signOut(scope: SignOutScope): Promise<void> {
    await this.around.wait();
    if (scope !== "here" && this.current) this.profile.endOtherSessions();
    if (scope === "others") return;
    this.current = null;
    this.around.session({ state: "signedOut" });
  }

  /** Changes the account that is signed in, and answers what it is now. */
  private async changed(change: () => void): Promise<AccountShown> {
    await this.around.wait();
    change();
    return structuredClone(this.mine().shown);
  }

  private enter(kept: Kept): void {
    this.current = kept;
    this.factors.isProven = false;
    this.waiting += 1;
    this.tell();
  }

  private tell(): void {
    this.around.session(this.state());
  }

  private state(): SessionState {
    const { who, factors } = this.mine().shown;
    if (this.factors.isAsked) return { state: "needsCode", who, factors };
    if (this.newPassword) return { state: "needsPassword", who };
    return { state: "signedIn", who, remembered: true };
  }

  private mine(): Kept {
    return this.current ?? fail("signedOut", "You are signed out. Sign in to go on.");
  }

  private made(email: string, password: string | null, confirmed: boolean): Kept {
    const shown = accountOf(email, this.onServer);
    const kept = { password, confirmed, shown };
    this.kept.set(email, kept);
    return kept;
  }

  private id(): string {
    this.count += 1;
    return `account-${this.count}`;
  }
}
