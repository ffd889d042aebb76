import { fail } from "./fake-failure";
import type { AccountShown, ProviderShown } from "./bindings";

/** An account as the fake keeps it. */
export interface Kept {
  password: string | null;
  confirmed: boolean;
  shown: AccountShown;
}

/** The code that every message and authenticator of the fake shows. */
export const fakeCode = "123456";

export const providers: ProviderShown[] = [
  { id: "github", name: "GitHub" },
  { id: "google", name: "Google" },
];

export function accountOf(email: string | null, onServer: boolean): AccountShown {
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

export function anonymous(): Kept {
  return { password: null, confirmed: true, shown: accountOf(null, false) };
}

export function isRight(code: string): boolean {
  return code.replace(/\s/g, "") === fakeCode;
}

export function rightCode(code: string): void {
  if (!isRight(code)) {
    fail("signInRefused", "This code is wrong. Wait for the next one and try again.");
  }
}

/** A phone's number without what people write into it. */
export function bareNumber(phone: string): string {
  const bare = phone.replace(/[ \-().]/g, "");
  if (!/^\+[1-9]\d{7,14}$/.test(bare)) {
    fail("badInput", "Write the number with its country, like +49 170 1234567.");
  }
  return bare;
}
