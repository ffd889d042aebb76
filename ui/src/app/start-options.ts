import { pages, type StartOptions } from "./app-state.svelte";
import { isLanguage } from "../texts";

/**
 * Start options for designing screens: `?page=library` opens that page, `?edit=0` the newest clip
 * in the editor, `?language=de` the German interface.
 */
export function parseStartOptions(search: string): StartOptions {
  const query = new URLSearchParams(search);
  const page = pages.find((each) => each === query.get("page"));
  const edit = query.get("edit");
  const wanted = query.get("language");
  return {
    ...(page ? { page } : {}),
    ...(edit === null ? {} : { edit: Number(edit) }),
    ...(wanted !== null && isLanguage(wanted) ? { language: wanted } : {}),
  };
}
