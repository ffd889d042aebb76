type OtherForm = "zero" | "two" | "few" | "many";

/**
 * The texts that a catalogue in another language must have: one for every English text, and plural
 * forms that English lacks. `catalogue.test.ts` checks that the texts take the same arguments.
 */
export type Translation<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Translation<English[Key]>;
} & {
  readonly [Key in keyof English as Key extends `${infer Base}_other`
    ? `${Base}_${OtherForm}`
    : never]?: string;
};
