import type { en } from "../en";
import type { Translation } from "../translation";
import { account } from "./account";
import { app } from "./app";
import { bones } from "./bones";
import { characters } from "./characters";
import { corrections } from "./corrections";
import { editor } from "./editor";
import { exports } from "./exports";
import { video } from "./video";
import { jobs } from "./jobs";
import { keys } from "./keys";
import { library } from "./library";
import { mail } from "./mail";
import { prompt } from "./prompt";
import { rig } from "./rig";
import { settings } from "./settings";
import { shared } from "./shared";
import { shortcuts } from "./shortcuts";
import { signIn } from "./sign-in";

/**
 * Die deutschen Texte, in der Du-Form. Prompts bleiben englisch, weil die Engine Englisch versteht.
 */
export const de: Translation<typeof en> = {
  account,
  app,
  bones,
  characters,
  corrections,
  editor,
  exports,
  video,
  jobs,
  keys,
  library,
  mail,
  prompt,
  rig,
  settings,
  shared,
  shortcuts,
  signIn,
};
