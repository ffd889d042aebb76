import { describe, expect, it } from "vitest";
import { HostError } from "../host";
import { Asking } from "./asking.svelte";
import { Connection } from "./connection.svelte";

const refused = new HostError({ code: "serviceRefused", message: "The server refused. Check the key.", detail: "401" });

/** A promise that ends when it is told to. */
function held<Value>() {
  let end: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => (end = resolve));
  return { promise, end: (value: Value) => end(value) };
}

describe("one thing asked for", () => {
  it("is under way until it is answered, and nothing else is begun meanwhile", async () => {
    const asking = new Asking();
    const { promise, end } = held<void>();
    const worked = asking.do(() => promise);
    expect(asking.busy).toBe(true);
    let began = false;
    expect(await asking.do(async () => void (began = true))).toBe(false);
    expect([asking.busy, began]).toEqual([true, false]);
    end();
    expect(await worked).toBe(true);
    expect(asking.busy).toBe(false);
  });

  it("says why it failed, until it is asked for again", async () => {
    const asking = new Asking();
    expect(await asking.do(() => Promise.reject(refused))).toBe(false);
    expect(asking.error).toEqual({ code: "serviceRefused", message: "The server refused. Check the key.", detail: "401" });
    expect(asking.busy).toBe(false);
    expect(await asking.do(async () => {})).toBe(true);
    expect(asking.error).toBeNull();
  });

  it("goes on where something that was done meanwhile failed", async () => {
    const asking = new Asking();
    const { promise, end } = held<void>();
    const worked = asking.do(() => promise);
    await asking.meanwhile(() => Promise.reject(refused));
    expect([asking.busy, asking.error?.code]).toEqual([true, "serviceRefused"]);
    end();
    expect(await worked).toBe(true);
  });
});

describe("a connection", () => {
  it("keeps what was answered until something else is done", async () => {
    const connection = new Connection<string>();
    expect(await connection.ask(async () => "found")).toBe(true);
    expect(connection.answer).toBe("found");
    const { promise, end } = held<void>();
    const connected = connection.change("connect", () => promise);
    expect([connection.task, connection.answer]).toEqual(["connect", null]);
    end();
    await connected;
    expect(connection.task).toBeNull();
  });

  it("has no answer where asking failed or was stopped", async () => {
    const connection = new Connection<string>();
    await connection.ask(async () => "found");
    expect(await connection.ask(() => Promise.reject(refused))).toBe(false);
    expect([connection.answer, connection.error?.code, connection.task]).toEqual([null, "serviceRefused", null]);
    const { promise, end } = held<string | null>();
    const asked = connection.ask(() => promise);
    expect(connection.task).toBe("ask");
    end(null);
    expect(await asked).toBe(true);
    expect([connection.answer, connection.error]).toEqual([null, null]);
  });

  it("leaves what is under way alone when another task is begun", async () => {
    const connection = new Connection<string>();
    const { promise, end } = held<string>();
    const asked = connection.ask(() => promise);
    expect(await connection.change("forget", async () => {})).toBe(false);
    expect(connection.task).toBe("ask");
    end("found");
    await asked;
    expect(connection.answer).toBe("found");
  });
});
