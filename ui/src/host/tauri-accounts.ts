import type { AccountHost } from "./account-host";
import { unwrap, unwrapVoid } from "./unwrap";
import { commands } from "./bindings";

export const tauriAccounts: AccountHost = {
  options: () => unwrap(commands.signInOptions()),
  continueHere: () => unwrapVoid(commands.continueHere()),
  signUp: (email, password) => unwrap(commands.signUp(email, password)),
  signIn: (email, password) => unwrapVoid(commands.signIn(email, password)),
  mailLink: (email) => unwrapVoid(commands.mailLink(email)),
  enterMailedCode: (email, code) => unwrapVoid(commands.enterMailedCode(email, code)),
  textCode: (phone) => unwrapVoid(commands.textCode(phone)),
  enterTextedCode: (phone, code) => unwrapVoid(commands.enterTextedCode(phone, code)),
  openProvider: (id) => unwrapVoid(commands.openProvider(id)),
  stopWaiting: () => unwrapVoid(commands.stopWaiting()),
  acceptInvitation: () => unwrapVoid(commands.acceptInvitation()),
  declineInvitation: () => unwrapVoid(commands.declineInvitation()),
  recover: (email) => unwrapVoid(commands.recover(email)),
  enterCode: (code) => unwrapVoid(commands.enterCode(code)),
  textFactor: (id) => unwrapVoid(commands.textFactor(id)),
  enterFactorCode: (id, code) => unwrapVoid(commands.enterFactorCode(id, code)),
  changePassword: (password, current, code) =>
    unwrap(commands.changePassword(password, current, code)),
  keepPassword: () => unwrapVoid(commands.keepPassword()),
  account: () => unwrap(commands.account()),
  changeEmail: (email) => unwrap(commands.changeEmail(email)),
  changePhone: (phone) => unwrap(commands.changePhone(phone)),
  confirmPhone: (phone, code) => unwrap(commands.confirmPhone(phone, code)),
  beginFactor: () => unwrap(commands.beginFactor()),
  confirmFactor: (id, code) => unwrap(commands.confirmFactor(id, code)),
  beginPhoneFactor: (phone) => unwrap(commands.beginPhoneFactor(phone)),
  confirmPhoneFactor: (id, code) => unwrap(commands.confirmPhoneFactor(id, code)),
  removeFactor: (id) => unwrap(commands.removeFactor(id)),
  unlink: (id) => unwrap(commands.unlink(id)),
  endSession: (id) => unwrap(commands.endSession(id)),
  signOut: (scope) => unwrapVoid(commands.signOut(scope)),
};
