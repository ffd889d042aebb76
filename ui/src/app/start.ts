import { rooms, type Start } from "./state.svelte";

/** For designing screens: `?room=library` opens that room, `?edit=0` the newest clip's editor. */
export function startOf(query: string): Start {
  const asked = new URLSearchParams(query);
  const room = rooms.find((each) => each === asked.get("room"));
  const edit = asked.get("edit");
  return { ...(room ? { room } : {}), ...(edit === null ? {} : { edit: Number(edit) }) };
}
