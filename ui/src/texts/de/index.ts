import type { en } from "../en";
import type { Translation } from "../translation";
import { app } from "./app";
import { keys } from "./keys";
import { shared } from "./shared";
import { shortcuts } from "./shortcuts";

/** Die deutschen Texte. Man duzt; Prompts bleiben englisch, weil die Engine Englisch versteht. */
export const de: Translation<typeof en> = { app, keys, shared, shortcuts };
