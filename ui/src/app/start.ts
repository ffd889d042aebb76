import { rooms, type Start } from "./state.svelte";
import { isLanguage } from "../texts";

/**
 * Start options for designing screens: `?room=library` opens that room, `?edit=0` the newest clip
 * in the editor, `?language=de` the German interface.
 */
export function startOf(query: string): Start {
  const asked = new URLSearchParams(query);
  const room = rooms.find((each) => each === asked.get("room"));
  const edit = asked.get("edit");
  const wanted = asked.get("language");
  return {
    ...(room ? { room } : {}),
    ...(edit === null ? {} : { edit: Number(edit) }),
    ...(wanted !== null && isLanguage(wanted) ? { language: wanted } : {}),
  };
}
