import { fail } from "./fake-failure";
import type { FakeRuntime } from "./fake-runtime";
import type { LinkOutcome, MailShown, MailText } from "./host";

/** Mail on this computer, each with one link. */
export class FakeMailbox {
  private mails: MailShown[] = [];
  /** What the links do. */
  private readonly links = new Map<string, { words: string; follow: () => LinkOutcome }>();
  private readonly runtime: FakeRuntime;

  constructor(runtime: FakeRuntime) {
    this.runtime = runtime;
  }

  all(): MailShown[] {
    return this.mails;
  }

  /** Puts a mail into the mailbox; `follow` is what its link does. */
  post(to: string, subject: string, words: string, follow: () => LinkOutcome): void {
    const id = this.runtime.id("mail");
    const receivedAt = new Date().toISOString();
    this.links.set(id, { words, follow });
    this.mails.unshift({ id, from: "studio@limber.localhost", to, subject, receivedAt, unread: true });
    this.runtime.listener?.mail();
  }

  read(id: string): MailText {
    const mail = this.mails.find((each) => each.id === id) ?? gone();
    mail.unread = false;
    const words = this.links.get(id)?.words ?? "Open";
    return { mail, text: `Follow this link:\n[${words}]`, links: [{ index: 0, words }] };
  }

  async follow(id: string): Promise<LinkOutcome> {
    await this.runtime.wait();
    return (this.links.get(id) ?? gone()).follow();
  }
}

function gone(): never {
  fail("notFound", "This mail is not on this computer any more.");
}
