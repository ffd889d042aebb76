import { HostError, type AppError, type MessageView } from "./host";

/** Wraps a plain sentence, as the app does with texts of other services. */
export function sentence(text: string): MessageView {
  return { code: "sentence", arguments: { said: text }, text };
}

/** Throws an error as the app would report it. */
export function fail(code: AppError["code"], message: string): never {
  throw new HostError({ code, message, detail: null });
}
