import { bareNumber, rightCode } from "./fake-account-records";
import type { AccountShown, IdentityShown, LinkOutcome } from "./bindings";

/** What the fake's accounts ask of what is around them when somebody changes theirs. */
interface Around {
  /** Puts a mail into the mailbox; `follow` is what its link does. */
  post(to: string, subject: string, words: string, follow: () => LinkOutcome): void;
  /** Tells who is signed in. */
  tell(): void;
}

/** What somebody changes of the account that is signed in. */
export class FakeProfile {
  private readonly shown: () => AccountShown;
  private readonly around: Around;

  constructor(shown: () => AccountShown, around: Around) {
    this.shown = shown;
    this.around = around;
  }

  /** Confirmed by a link from the new address, and from the old one where there is one. */
  changeEmail(email: string): void {
    const shown = this.shown();
    const before = shown.who.email ?? null;
    shown.newEmail = email;
    let confirmed = 0;
    const follow = (): LinkOutcome => {
      confirmed += 1;
      if (before !== null && confirmed === 1) return "oneMoreConfirmation";
      shown.who = { ...shown.who, email, anonymous: false };
      shown.newEmail = null;
      this.around.tell();
      return "confirmed";
    };
    for (const to of before === null ? [email] : [before, email]) {
      this.around.post(to, "Confirm Email Change", "Confirm the change", follow);
    }
  }

  changePhone(phone: string): void {
    this.shown().newPhone = bareNumber(phone);
  }

  confirmPhone(phone: string, code: string): void {
    rightCode(code);
    const shown = this.shown();
    shown.who = { ...shown.who, phone: bareNumber(phone) };
    shown.newPhone = null;
    this.around.tell();
  }

  link(identity: IdentityShown): void {
    const shown = this.shown();
    shown.identities = [...shown.identities, identity].map((each) => ({ ...each, removable: true }));
    shown.linkable = shown.linkable.filter((each) => each.id !== identity.provider.id);
    if (shown.who.anonymous) shown.who = { email: "ada@example.com", phone: null, anonymous: false };
    this.around.tell();
  }

  unlink(id: string): void {
    const shown = this.shown();
    const gone = shown.identities.find((identity) => identity.id === id);
    shown.identities = shown.identities.filter((identity) => identity.id !== id);
    if (gone) shown.linkable = [...shown.linkable, gone.provider];
    if (shown.identities.length === 1) shown.identities[0]!.removable = false;
  }

  endSession(id: string): void {
    const shown = this.shown();
    shown.sessions = shown.sessions?.filter((session) => session.id !== id) ?? null;
  }

  endOtherSessions(): void {
    const shown = this.shown();
    shown.sessions = shown.sessions?.filter((session) => session.current) ?? null;
  }
}
