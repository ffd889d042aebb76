import type {
  AccountView,
  FactorOffer,
  PasswordOutcome,
  PhoneOffer,
  SignInOptions,
  SignOutScope,
  SignUpOutcome,
} from "./bindings";

/** Sign-in methods and account management. */
export interface AccountHost {
  /** The sign-in methods that this studio offers. */
  options(): Promise<SignInOptions>;
  continueHere(): Promise<void>;
  signUp(email: string, password: string): Promise<SignUpOutcome>;
  signIn(email: string, password: string): Promise<void>;
  /** Requests a mail with a sign-in link and code. */
  mailLink(email: string): Promise<void>;
  enterMailedCode(email: string, code: string): Promise<void>;
  textCode(phone: string): Promise<void>;
  enterTextedCode(phone: string, code: string): Promise<void>;
  /** Opens a provider in the browser, to sign in or to link it to the current account. */
  openProvider(id: string): Promise<void>;
  /** Stops waiting for the browser. */
  stopWaiting(): Promise<void>;
  /** Accepts the invitation that a link brought. */
  acceptInvitation(): Promise<void>;
  /** Declines it, which ends its session. */
  declineInvitation(): Promise<void>;
  /** Requests a password recovery mail. */
  recover(email: string): Promise<void>;
  /** Submits the code of an authenticator app after signing in. */
  enterCode(code: string): Promise<void>;
  /** Sends a code to a phone that is a second factor. */
  textFactor(id: string): Promise<void>;
  enterFactorCode(id: string, code: string): Promise<void>;
  changePassword(
    password: string,
    current: string | null,
    code: string | null,
  ): Promise<PasswordOutcome>;
  /** Keeps the current password after a recovery. */
  keepPassword(): Promise<void>;
  account(): Promise<AccountView>;
  changeEmail(email: string): Promise<AccountView>;
  changePhone(phone: string): Promise<AccountView>;
  confirmPhone(phone: string, code: string): Promise<AccountView>;
  beginFactor(): Promise<FactorOffer>;
  confirmFactor(id: string, code: string): Promise<AccountView>;
  /** Adds a phone as a second factor and sends it a code; `textFactor` sends another one. */
  beginPhoneFactor(phone: string): Promise<PhoneOffer>;
  confirmPhoneFactor(id: string, code: string): Promise<AccountView>;
  removeFactor(id: string): Promise<AccountView>;
  unlink(id: string): Promise<AccountView>;
  endSession(id: string): Promise<AccountView>;
  signOut(scope: SignOutScope): Promise<void>;
}
