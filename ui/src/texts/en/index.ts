import { app } from "./app";
import { keys } from "./keys";
import { shared } from "./shared";
import { shortcuts } from "./shortcuts";

/** The English texts, one file for each feature. Every other language has the same. */
export const en = { app, keys, shared, shortcuts } as const;
