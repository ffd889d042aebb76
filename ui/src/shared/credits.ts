/** Credits as people say them. */
export function creditWords(credits: number): string {
  const rounded = Math.round(credits * 100) / 100;
  return `${rounded} ${rounded === 1 ? "credit" : "credits"}`;
}
