import { app } from "./app";
import { jobs } from "./jobs";
import { keys } from "./keys";
import { library } from "./library";
import { mail } from "./mail";
import { shared } from "./shared";
import { shortcuts } from "./shortcuts";

/** The English texts, one file for each feature. Every other language has the same. */
export const en = { app, jobs, keys, library, mail, shared, shortcuts } as const;
