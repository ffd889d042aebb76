/** Languages with a catalogue, each by its own name. */
export const languages = { en: "English", de: "Deutsch" } as const;

export type Language = keyof typeof languages;
/** `system` follows the preference of the desktop. */
export type LanguageChoice = "system" | Language;

const source: Language = "en";

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name);
}

/** The first preferred language that has a catalogue, or else English. */
export function preferred(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "");
  return known.find(isLanguage) ?? source;
}

/** Some web views report the environment's locale, such as `C`, which no formatter accepts. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

class LanguageSetting {
  choice = $state<LanguageChoice>("system");
  private wanted = $state.raw<readonly string[]>(navigator.languages);
  /** The language of all texts. */
  readonly now = $derived<Language>(this.choice === "system" ? preferred(this.wanted) : this.choice);
  /** The same with the region that the system prefers, for dates and numbers. */
  readonly locale = $derived(
    this.wanted.find((tag) => tag.startsWith(`${this.now}-`) && isTag(tag)) ?? this.now,
  );

  constructor() {
    addEventListener("languagechange", () => (this.wanted = navigator.languages));
  }

  /** Changes all texts at once. The app saves the choice with its settings. */
  choose(choice: LanguageChoice): void {
    this.choice = choice;
  }
}

export const language = new LanguageSetting();
