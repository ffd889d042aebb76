import type { Draft } from "../../host";
import type { Layers } from "./corrections/layers";

/**
 * What the app could not keep, by clip. An editor that is closed takes nothing along that somebody made: whoever opens
 * the clip again finds it, and it is tried once more.
 */
class Unkept<State> {
  private readonly states = new Map<string, { state: State }>();

  /** Has the app keep a state, which is here until it has. */
  async keep<Answer>(id: string, state: State, work: () => Promise<Answer>): Promise<Answer> {
    const entry = { state };
    this.states.set(id, entry);
    const answer = await work();
    // a later state may have failed meanwhile
    if (this.states.get(id) === entry) this.states.delete(id);
    return answer;
  }

  /** The newest state that was not kept, or else the one that was. */
  newest(id: string, kept: State): State {
    const found = this.states.get(id);
    return found ? found.state : kept;
  }
}

export const unkept = { corrections: new Unkept<Layers>(), drafts: new Unkept<Draft | null>() };
