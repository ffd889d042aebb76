import { bareNumber, isRight, rightCode } from "./fake-account-records";
import { authenticatorPicture } from "./fake-examples";
import { fail } from "./fake-failure";
import type { AccountShown, FactorOffer, FactorShown, PhoneOffer } from "./bindings";

/** The second factors of whoever is signed in. */
export class FakeFactors {
  /** One of them was shown in this session. */
  isProven = false;
  /** Phones whose code is waited for. */
  private readonly texted = new Set<string>();
  /** Phones that are being added. */
  private readonly offers = new Map<string, PhoneOffer>();
  private readonly shown: () => AccountShown;
  private readonly id: () => string;

  /** `shown` is the account that is signed in. */
  constructor(shown: () => AccountShown, id: () => string) {
    this.shown = shown;
    this.id = id;
  }

  /** Whether one has to be shown before anything else is done. */
  get isAsked(): boolean {
    return this.shown().factors.length > 0 && !this.isProven;
  }

  enter(code: string): void {
    rightCode(code);
    this.isProven = true;
  }

  text(id: string): void {
    this.texted.add(id);
  }

  enterTexted(id: string, code: string): void {
    if (!this.texted.has(id)) {
      fail("signInRefused", "Limber does not wait for a code of this phone any more. Have another one sent.");
    }
    if (!isRight(code)) {
      fail("signInRefused", "This code is not the one of the newest message. Check it, or have another one sent.");
    }
    this.texted.delete(id);
    this.isProven = true;
  }

  offerApp(): FactorOffer {
    return { id: this.id(), picture: authenticatorPicture(), secret: "JBSW Y3DP EHPK 3PXP JBSW Y3DP" };
  }

  confirmApp(id: string, code: string): void {
    this.enter(code);
    this.add({ id, name: this.freeName("Authenticator"), kind: "app", ends: "" });
  }

  offerPhone(phone: string): PhoneOffer {
    const offer = { id: this.id(), phone: bareNumber(phone) };
    this.texted.add(offer.id);
    this.offers.set(offer.id, offer);
    return offer;
  }

  confirmPhone(id: string, code: string): void {
    this.enterTexted(id, code);
    const { phone } = this.offers.get(id) ?? fail("notFound", "This is not part of your account any more.");
    this.add({ id, name: this.freeName("Phone"), kind: "phone", ends: phone.slice(-3) });
  }

  remove(id: string): void {
    const shown = this.shown();
    shown.factors = shown.factors.filter((factor) => factor.id !== id);
  }

  private add(factor: Omit<FactorShown, "addedAt">): void {
    const shown = this.shown();
    shown.factors = [...shown.factors, { ...factor, addedAt: new Date().toISOString() }];
  }

  private freeName(first: string): string {
    const taken = this.shown().factors.filter(({ name }) => name.startsWith(first)).length;
    return taken ? `${first} ${taken + 1}` : first;
  }
}
