type OtherForm = "zero" | "two" | "few" | "many";

/**
 * What a catalogue in another language has to say: a text for every English one, and, where that
 * language counts differently, the plural forms that English does without. That the texts take the
 * same arguments is tested in `texts.test.ts`.
 */
export type Translation<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Translation<English[Key]>;
} & {
  readonly [Key in keyof English as Key extends `${infer Base}_other`
    ? `${Base}_${OtherForm}`
    : never]?: string;
};
