import type { en } from "../en";
import type { Translation } from "../translation";
import { account } from "./account";
import { app } from "./app";
import { characters } from "./characters";
import { exports } from "./exports";
import { film } from "./film";
import { jobs } from "./jobs";
import { keys } from "./keys";
import { library } from "./library";
import { mail } from "./mail";
import { rig } from "./rig";
import { settings } from "./settings";
import { shared } from "./shared";
import { shortcuts } from "./shortcuts";
import { signIn } from "./sign-in";

/** Die deutschen Texte. Man duzt; Prompts bleiben englisch, weil die Engine Englisch versteht. */
export const de: Translation<typeof en> = {
  account,
  app,
  characters,
  exports,
  film,
  jobs,
  keys,
  library,
  mail,
  rig,
  settings,
  shared,
  shortcuts,
  signIn,
};
