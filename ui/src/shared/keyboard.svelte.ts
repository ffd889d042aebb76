import { keyLabel } from "./key-labels";

/** Where a shortcut works: in the editor, on the pages, or in both. */
export type Scope = "editor" | "pages" | "everywhere";

interface Command {
  scope: Scope;
  /** Default chords; tooltips show the first. */
  chords: readonly string[];
}

/** Commands with customisable shortcuts, in the order of the settings. */
export const commands = {
  generate: { scope: "pages", chords: ["Ctrl+Enter"] },
  prompt: { scope: "everywhere", chords: ["/"] },
  earlier: { scope: "everywhere", chords: ["Ctrl+H"] },
  help: { scope: "everywhere", chords: ["?"] },
  play: { scope: "editor", chords: ["Space"] },
  backwards: { scope: "editor", chords: ["J"] },
  stop: { scope: "editor", chords: ["K"] },
  loop: { scope: "editor", chords: ["L"] },
  stepBack: { scope: "editor", chords: ["ArrowLeft"] },
  stepOn: { scope: "editor", chords: ["ArrowRight"] },
  leapBack: { scope: "editor", chords: ["Shift+ArrowLeft"] },
  leapOn: { scope: "editor", chords: ["Shift+ArrowRight"] },
  previousCorrection: { scope: "editor", chords: [","] },
  nextCorrection: { scope: "editor", chords: ["."] },
  first: { scope: "editor", chords: ["Home"] },
  last: { scope: "editor", chords: ["End"] },
  trimIn: { scope: "editor", chords: ["I"] },
  trimOut: { scope: "editor", chords: ["O"] },
  paint: { scope: "editor", chords: ["P"] },
  remove: { scope: "editor", chords: ["Delete", "Backspace"] },
  make: { scope: "editor", chords: ["Ctrl+Enter"] },
  undo: { scope: "editor", chords: ["Ctrl+Z"] },
  redo: { scope: "editor", chords: ["Ctrl+Y", "Ctrl+Shift+Z"] },
  rename: { scope: "editor", chords: ["F2"] },
  export: { scope: "editor", chords: ["Ctrl+E"] },
  film: { scope: "editor", chords: ["Ctrl+Shift+E"] },
  inPlace: { scope: "editor", chords: ["R"] },
  frameAll: { scope: "editor", chords: ["F"] },
  skin: { scope: "editor", chords: ["S"] },
  bones: { scope: "editor", chords: ["B"] },
  contacts: { scope: "editor", chords: ["C"] },
  trails: { scope: "editor", chords: ["M"] },
  ghosts: { scope: "editor", chords: ["Shift+O"] },
  axes: { scope: "editor", chords: ["X"] },
  compare: { scope: "editor", chords: ["G"] },
  overlay: { scope: "editor", chords: ["A"] },
  nextOver: { scope: "editor", chords: ["N"] },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof commands;
export const commandIds = Object.keys(commands) as CommandId[];

/** Keys reserved by the window, its fields, and numbered pages and variants. */
const reserved = /^(Escape|Tab|Enter|Shift\+(Tab|Enter|Space)|[1-8]|Ctrl\+([1-6ACVX]|Tab)|F5|F11|F12)$/;

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/**
 * The chord of a key press, such as `Ctrl+Shift+E`; null for a modifier alone, and with Alt, which
 * keyboards use to type characters. Command on a Mac counts as Ctrl. Shift is named only if the
 * character does not imply it.
 */
export function chordOfKeyPress({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string | null {
  if (altKey || ["Control", "Shift", "Meta", "Alt", "AltGraph", "Dead", "Process", "Unidentified"].includes(key)) return null;
  const name = key === " " ? "Space" : key.length === 1 ? key.toUpperCase() : key;
  const saysShift = name.length > 1 || name.toLowerCase() !== name;
  return [...(ctrlKey || metaKey ? ["Ctrl"] : []), ...(shiftKey && saysShift ? ["Shift"] : []), name].join("+");
}

/** The labels of a chord's keys. */
export function chordKeys(chord: string): string[] {
  // the key itself may be a plus
  const [, held = "", key = ""] = /^((?:(?:Ctrl|Shift)\+)*)(.+)$/.exec(chord) ?? [];
  return [...held.split("+").filter(Boolean), key].map(keyLabel);
}

export function formatChord(chord: string): string {
  return chordKeys(chord).join("+");
}

export type ChosenChords = Readonly<Record<string, string>>;

/** Why a chord is not available: it is reserved, or another command has it. */
export type ChordConflict = { kind: "reserved" } | { kind: "taken"; by: CommandId };

/** The shortcuts: the defaults, overridden by the user's choices. */
class Keyboard {
  /** Chosen chords by command, as in the settings; empty for none. May contain unknown commands. */
  chosen = $state.raw<ChosenChords>({});

  /** The chords of a command; may be empty. */
  chordsOf(id: CommandId): readonly string[] {
    const chosen = this.chosen[id];
    if (chosen === undefined) return commands[id].chords;
    return chosen === "" ? [] : [chosen];
  }

  /** The chord for tooltips. */
  hint(id: CommandId): string | undefined {
    const [chord] = this.chordsOf(id);
    return chord && formatChord(chord);
  }

  /** The command of a key press, in the editor or on the pages. */
  commandOf(press: Press, where: "editor" | "pages"): CommandId | null {
    const chord = chordOfKeyPress(press);
    if (chord === null) return null;
    const isHere = (id: CommandId) => commands[id].scope === where || commands[id].scope === "everywhere";
    return commandIds.find((id) => isHere(id) && this.chordsOf(id).includes(chord)) ?? null;
  }

  conflict(id: CommandId, chord: string): ChordConflict | null {
    if (reserved.test(chord)) return { kind: "reserved" };
    const by = commandIds.find((other) => other !== id && scopesOverlap(id, other) && this.chordsOf(other).includes(chord));
    return by ? { kind: "taken", by } : null;
  }

  /** The choices after assigning a chord to a command; another command that has it loses it. */
  with(id: CommandId, chord: string): ChosenChords {
    const conflict = chord === "" ? null : this.conflict(id, chord);
    const others = conflict?.kind === "taken" ? { ...this.chosen, [conflict.by]: "" } : this.chosen;
    const [usual, ...more] = commands[id].chords as readonly string[];
    return chord === usual && more.length === 0 ? withoutCommand(others, id) : { ...others, [id]: chord };
  }

  /** The choices after resetting a command to its defaults. */
  reset(id: CommandId): ChosenChords {
    const usual: readonly string[] = commands[id].chords;
    const takes = (other: string): boolean => usual.includes(this.chosen[other] ?? "") && (!isCommand(other) || scopesOverlap(id, other));
    // so that no two commands share a chord
    return Object.fromEntries(Object.entries(this.chosen).filter(([other]) => other !== id && !takes(other)));
  }

  isChosen(id: CommandId): boolean {
    return this.chosen[id] !== undefined;
  }
}

function isCommand(name: string): name is CommandId {
  return Object.hasOwn(commands, name);
}

function scopesOverlap(one: CommandId, other: CommandId): boolean {
  const [a, b] = [commands[one].scope as Scope, commands[other].scope as Scope];
  return a === b || a === "everywhere" || b === "everywhere";
}

function withoutCommand(chosen: ChosenChords, id: string): ChosenChords {
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => name !== id));
}

export const keyboard = new Keyboard();
