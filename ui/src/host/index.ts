import type { Host } from "./host";

export * from "./host";

/** Returns the desktop host; in a plain browser under the dev server, the fake. */
export async function findHost(): Promise<Host> {
  if ("__TAURI_INTERNALS__" in window) {
    const { tauriHost } = await import("./tauri");
    return tauriHost();
  }
  if (import.meta.env.DEV) {
    const { FakeHost } = await import("./fake");
    return new FakeHost();
  }
  throw new Error("this page only works inside the Limber window");
}
