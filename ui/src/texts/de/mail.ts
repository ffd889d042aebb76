import type { en } from "../en";
import type { Translation } from "../translation";

export const mail: Translation<typeof en.mail> = {
  emptyTitle: "Keine Mail",
  empty:
    "Nachrichten deines Studios, etwa der Link, der ein Konto bestätigt, landen hier. Sie verlassen diesen Rechner nie.",
  unread: "ungelesen",
  fromTo: "Von {{from}} an {{to}}",
};
