import type { Order } from "./find";
import type { Period } from "./when";

/** How the library is looked at; it stays while rooms change. */
export class LibraryView {
  search = $state("");
  order = $state<Order>("newest");
  tag = $state<string | null>(null);
  period = $state<Period>("ever");
  between = $state({ from: "", until: "" });

  /** Lets everything be seen, in the order it was. */
  showAll(): void {
    this.search = "";
    this.tag = null;
    this.period = "ever";
  }
}
