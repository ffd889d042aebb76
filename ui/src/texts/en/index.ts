import { account } from "./account";
import { app } from "./app";
import { jobs } from "./jobs";
import { keys } from "./keys";
import { library } from "./library";
import { mail } from "./mail";
import { settings } from "./settings";
import { shared } from "./shared";
import { shortcuts } from "./shortcuts";
import { signIn } from "./sign-in";

/** The English texts, one file for each feature. Every other language has the same. */
export const en = {
  account,
  app,
  jobs,
  keys,
  library,
  mail,
  settings,
  shared,
  shortcuts,
  signIn,
} as const;
