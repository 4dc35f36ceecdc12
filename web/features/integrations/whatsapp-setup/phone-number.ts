/** Phone numbers as people type and read them, by the smallest metadata; loaded with the dialog. */
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";

/** The country whose numbers are taken unless another is picked. */
export const DEFAULT_COUNTRY = "US";

export const NUMBER_REQUIRED = "Enter your phone number.";
export const NUMBER_WRONG = "Enter a whole number, in its international form.";

/** A country to pick: its ISO code, its English name and its calling code with the plus. */
export type Country = { code: string; name: string; callingCode: string };

/** What was typed as E.164 with the country it is of, or what is wrong with it. */
export type ReadNumber = { ok: true; number: string; country: string } | { ok: false; error: string };

/** Reads a typed number: with a plus as it stands, else as one of `country`. */
export function readNumber(text: string, country: string): ReadNumber {
  if (text.trim() === "") return { ok: false, error: NUMBER_REQUIRED };
  const parsed = parsePhoneNumberFromString(text, known(country));
  if (!parsed?.isValid() || parsed.ext) return { ok: false, error: NUMBER_WRONG };
  return { ok: true, number: parsed.number, country: parsed.country ?? country };
}

/** A number for people, in groups: `+49 1512 3456789`. */
export function shownNumber(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number;
}

/** A number of a country as an example of how it is typed there. */
export function exampleOf(country: string): string {
  return getExampleNumber(known(country), examples)?.formatNational() ?? "";
}

/** The calling code of a country, with its plus. */
export function callingCodeOf(country: string): string {
  return `+${getCountryCallingCode(known(country))}`;
}

/** The country that a number with a plus names already; null for others, and while it may still be several. */
export function countryOf(text: string): string | null {
  if (!text.trim().startsWith("+")) return null;
  return parsePhoneNumberFromString(text)?.country ?? null;
}

/** Every country that has numbers, the default one first and then by name. */
export function countries(): Country[] {
  const names = new Intl.DisplayNames(["en"], { type: "region" });
  const all = getCountries().map((code) => ({ code, name: names.of(code) ?? code, callingCode: callingCodeOf(code) }));
  return all.toSorted(
    (a, b) => Number(b.code === DEFAULT_COUNTRY) - Number(a.code === DEFAULT_COUNTRY) || a.name.localeCompare(b.name, "en"),
  );
}

function known(country: string): CountryCode {
  return isSupportedCountry(country) ? country : DEFAULT_COUNTRY;
}
