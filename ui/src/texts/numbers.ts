import { language } from "./language.svelte";

const formats = new Map<string, Intl.NumberFormat>();

/** A number with a fixed number of decimals, in the format of the language. */
export function formatNumber(value: number, digits = 0): string {
  return formatDecimals(value, digits, digits);
}

/** A number with no more decimals than it needs, and at most this many. */
export function formatNumberUpTo(value: number, digits: number): string {
  return formatDecimals(value, 0, digits);
}

function formatDecimals(value: number, minimumFractionDigits: number, maximumFractionDigits: number): string {
  const { locale } = language;
  const name = `${locale} ${minimumFractionDigits} ${maximumFractionDigits}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits, useGrouping: false });
    formats.set(name, format);
  }
  return format.format(value);
}

/** A date in the format of the language. */
export function formatDate(when: string | Date, style: "short" | "medium"): string {
  const options: Intl.DateTimeFormatOptions = style === "medium" ? { dateStyle: "medium" } : {};
  return new Date(when).toLocaleDateString(language.locale, options);
}
