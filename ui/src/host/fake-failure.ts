import { HostError, type AppError, type Told } from "./host";

/** Words as the app tells those of others. */
export function said(text: string): Told {
  return { code: "sentence", arguments: { said: text }, text };
}

/** Ends a call of the fake as the app ends one that did not work. */
export function fail(code: AppError["code"], message: string): never {
  throw new HostError({ code, message, detail: null });
}
