import { HostError, type AppError } from "./host";

type Result<Value> = { status: "ok"; data: Value } | { status: "error"; error: AppError };

/** What a command answered, or its failure thrown. */
export async function answer<Value>(asked: Promise<Result<Value>>): Promise<Value> {
  const result = await asked;
  if (result.status === "ok") return result.data;
  throw new HostError(result.error);
}

/** The same for commands that answer nothing. */
export async function done(asked: Promise<Result<null>>): Promise<void> {
  await answer(asked);
}
