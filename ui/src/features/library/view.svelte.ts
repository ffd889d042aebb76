import type { Order } from "./find";
import type { Period } from "./when";

/** Search, filters and order of the library; kept while other rooms are open. */
export class LibraryView {
  search = $state("");
  order = $state<Order>("newest");
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
