import type { AccountHost } from "./account-host";
import { answer, done } from "./answer";
import { commands } from "./bindings";

export const tauriAccounts: AccountHost = {
  options: () => answer(commands.signInOptions()),
  continueHere: () => done(commands.continueHere()),
  signUp: (email, password) => answer(commands.signUp(email, password)),
  signIn: (email, password) => done(commands.signIn(email, password)),
  mailLink: (email) => done(commands.mailLink(email)),
  enterMailedCode: (email, code) => done(commands.enterMailedCode(email, code)),
  textCode: (phone) => done(commands.textCode(phone)),
  enterTextedCode: (phone, code) => done(commands.enterTextedCode(phone, code)),
  openProvider: (id) => done(commands.openProvider(id)),
  stopWaiting: () => done(commands.stopWaiting()),
  acceptInvitation: () => done(commands.acceptInvitation()),
  declineInvitation: () => done(commands.declineInvitation()),
  recover: (email) => done(commands.recover(email)),
  enterCode: (code) => done(commands.enterCode(code)),
  textFactor: (id) => done(commands.textFactor(id)),
  enterFactorCode: (id, code) => done(commands.enterFactorCode(id, code)),
  changePassword: (password, current, code) =>
    answer(commands.changePassword(password, current, code)),
  keepPassword: () => done(commands.keepPassword()),
  account: () => answer(commands.account()),
  changeEmail: (email) => answer(commands.changeEmail(email)),
  changePhone: (phone) => answer(commands.changePhone(phone)),
  confirmPhone: (phone, code) => answer(commands.confirmPhone(phone, code)),
  beginFactor: () => answer(commands.beginFactor()),
  confirmFactor: (id, code) => answer(commands.confirmFactor(id, code)),
  beginPhoneFactor: (phone) => answer(commands.beginPhoneFactor(phone)),
  confirmPhoneFactor: (id, code) => answer(commands.confirmPhoneFactor(id, code)),
  removeFactor: (id) => answer(commands.removeFactor(id)),
  unlink: (id) => answer(commands.unlink(id)),
  endSession: (id) => answer(commands.endSession(id)),
  signOut: (scope) => done(commands.signOut(scope)),
};
