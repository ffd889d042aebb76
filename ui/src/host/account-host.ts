import type {
  AccountShown,
  FactorOffer,
  PasswordOutcome,
  PhoneOffer,
  SignInOptions,
  SignOutScope,
  SignUpOutcome,
} from "./bindings";

/** Everything about accounts: the ways in, and what people do with an account of theirs. */
export interface AccountHost {
  /** The ways in that this studio offers, and no others. */
  options(): Promise<SignInOptions>;
  continueHere(): Promise<void>;
  signUp(email: string, password: string): Promise<SignUpOutcome>;
  signIn(email: string, password: string): Promise<void>;
  /** Has a link and a code mailed that sign in. */
  mailLink(email: string): Promise<void>;
  enterMailedCode(email: string, code: string): Promise<void>;
  textCode(phone: string): Promise<void>;
  enterTextedCode(phone: string, code: string): Promise<void>;
  /** Opens the browser at another service: to sign in, or to link it to who is signed in. */
  openProvider(id: string): Promise<void>;
  /** Waits for the browser no more. */
  stopWaiting(): Promise<void>;
  /** Takes the invitation that a link brought. */
  acceptInvitation(): Promise<void>;
  /** Does not: its session ends. */
  declineInvitation(): Promise<void>;
  /** Has a mail sent that leads to a new password. */
  recover(email: string): Promise<void>;
  /** The code of an authenticator app that is asked for after signing in. */
  enterCode(code: string): Promise<void>;
  /** Has a code texted to a phone that is a second factor. */
  textFactor(id: string): Promise<void>;
  enterFactorCode(id: string, code: string): Promise<void>;
  changePassword(
    password: string,
    current: string | null,
    code: string | null,
  ): Promise<PasswordOutcome>;
  /** Leaves a forgotten password as it is. */
  keepPassword(): Promise<void>;
  account(): Promise<AccountShown>;
  changeEmail(email: string): Promise<AccountShown>;
  changePhone(phone: string): Promise<AccountShown>;
  confirmPhone(phone: string, code: string): Promise<AccountShown>;
  beginFactor(): Promise<FactorOffer>;
  confirmFactor(id: string, code: string): Promise<AccountShown>;
  /** Has a code texted to a number that shall be a second factor; `textFactor` sends another one. */
  beginPhoneFactor(phone: string): Promise<PhoneOffer>;
  confirmPhoneFactor(id: string, code: string): Promise<AccountShown>;
  removeFactor(id: string): Promise<AccountShown>;
  unlink(id: string): Promise<AccountShown>;
  endSession(id: string): Promise<AccountShown>;
  signOut(scope: SignOutScope): Promise<void>;
}
