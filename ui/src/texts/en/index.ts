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

/** The English texts, one file per feature. All other languages have the same keys. */
export const en = {
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
} as const;
