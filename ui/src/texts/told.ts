import { told as de } from "./de/told";
import { language, type Language } from "./language.svelte";

type Sentences = Readonly<Record<string, string>>;

/** The app tells in English, so there is nothing to translate into it. */
export const told: Partial<Record<Language, Sentences>> = { de };

/** Sentences with a part that changes, and what they look like. */
const patterns = new Map<Sentences, [RegExp, string][]>();

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function patternsOf(sentences: Sentences): [RegExp, string][] {
  let known = patterns.get(sentences);
  if (!known) {
    known = Object.entries(sentences)
      .filter(([english]) => english.includes("{}"))
      .map(([english, words]) => [new RegExp(`^${english.split("{}").map(literally).join("(.+)")}$`, "s"), words]);
    patterns.set(sentences, known);
  }
  return known;
}

function translated(sentence: string, sentences: Sentences): string {
  if (Object.hasOwn(sentences, sentence)) return sentences[sentence] ?? sentence;
  for (const [pattern, words] of patternsOf(sentences)) {
    const parts = pattern.exec(sentence)?.slice(1);
    if (parts) return words.replaceAll("{}", () => translated(parts.shift() ?? "", sentences));
  }
  return sentence;
}

/**
 * What the app told, in the language of now. What nobody has translated, such as a server's own words,
 * stays as it was told.
 */
export function inWords(sentence: string): string {
  const sentences = told[language.now];
  return sentences ? translated(sentence, sentences) : sentence;
}
