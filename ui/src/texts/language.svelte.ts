/** The languages that there is a catalogue for, each as it calls itself. */
export const languages = { en: "English", de: "Deutsch" } as const;

export type Language = keyof typeof languages;
/** `system` follows what the desktop prefers. */
export type LanguageChoice = "system" | Language;

const source: Language = "en";

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name);
}

/** The first of the preferred languages that there is a catalogue for, English where there is none. */
export function preferred(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "");
  return known.find(isLanguage) ?? source;
}

/** Some web views tell the environment's locale, such as `C`, which nothing can be formatted by. */
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
  /** What every text is in. */
  readonly now = $derived<Language>(this.choice === "system" ? preferred(this.wanted) : this.choice);
  /** The same with the region that the system prefers, for dates and numbers. */
  readonly locale = $derived(
    this.wanted.find((tag) => tag.startsWith(`${this.now}-`) && isTag(tag)) ?? this.now,
  );

  constructor() {
    addEventListener("languagechange", () => (this.wanted = navigator.languages));
  }

  /** Changes every text at once. The app keeps the choice with its settings. */
  choose(choice: LanguageChoice): void {
    this.choice = choice;
  }
}

export const language = new LanguageSetting();
