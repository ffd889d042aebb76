import type { en } from "../en";
import type { Translation } from "../translation";
import { app } from "./app";
import { jobs } from "./jobs";
import { keys } from "./keys";
import { library } from "./library";
import { mail } from "./mail";
import { shared } from "./shared";
import { shortcuts } from "./shortcuts";

/** Die deutschen Texte. Man duzt; Prompts bleiben englisch, weil die Engine Englisch versteht. */
export const de: Translation<typeof en> = { app, jobs, keys, library, mail, shared, shortcuts };
