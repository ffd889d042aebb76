import type { SortOrder } from "./search";
import type { Period } from "./date-range";

/** Search, filters and order of the library; kept while other pages are open. */
export class LibraryView {
  search = $state("");
  order = $state<SortOrder>("newest");
  tag = $state<string | null>(null);
  period = $state<Period>("ever");
  between = $state({ from: "", until: "" });

  /** Removes all filters and keeps the order. */
  showAll(): void {
    this.search = "";
    this.tag = null;
    this.period = "ever";
  }
}
