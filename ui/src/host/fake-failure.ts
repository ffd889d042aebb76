import { HostError, type AppError } from "./host";

/** Ends a call of the fake as the app ends one that did not work. */
export function fail(code: AppError["code"], message: string): never {
  throw new HostError({ code, message, detail: null });
}
