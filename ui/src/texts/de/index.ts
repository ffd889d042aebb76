import type { en } from "../en";
import type { Translation } from "../translation";
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

/** Die deutschen Texte. Man duzt; Prompts bleiben englisch, weil die Engine Englisch versteht. */
export const de: Translation<typeof en> = {
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
};
