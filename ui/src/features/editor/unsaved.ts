import type { Draft } from "../../host";
import type { Layers } from "./corrections/layers";

/**
 * States that could not be saved, by clip. Closing an editor loses nothing: opening the clip again
 * restores the state and retries.
 */
class UnsavedStates<State> {
  private readonly states = new Map<string, { state: State }>();

  /** Saves a state; keeps a copy here until that has succeeded. */
  async save<Answer>(id: string, state: State, work: () => Promise<Answer>): Promise<Answer> {
    const entry = { state };
    this.states.set(id, entry);
    const answer = await work();
    // a later state may have failed meanwhile
    if (this.states.get(id) === entry) this.states.delete(id);
    return answer;
  }

  /** The newest state that was not saved, or else the saved one. */
  newest(id: string, saved: State): State {
    const found = this.states.get(id);
    return found ? found.state : saved;
  }
}

export const unsaved = { corrections: new UnsavedStates<Layers>(), drafts: new UnsavedStates<Draft | null>() };
