import { HostError, type AppError } from "./host";

type Result<Value> = { status: "ok"; data: Value } | { status: "error"; error: AppError };

/** Returns the result of a command, or throws its error. */
export async function unwrap<Value>(promise: Promise<Result<Value>>): Promise<Value> {
  const result = await promise;
  if (result.status === "ok") return result.data;
  throw new HostError(result.error);
}

/** The same for commands without a result. */
export async function unwrapVoid(promise: Promise<Result<null>>): Promise<void> {
  await unwrap(promise);
}
