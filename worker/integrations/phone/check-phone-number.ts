import { type NumberType, parsePhoneNumberFromString } from "libphonenumber-js/max";

/** What a call may go to: people, and what costs the caller no more than a call. */
const CALLED: ReadonlySet<NumberType> = new Set(["FIXED_LINE", "MOBILE", "FIXED_LINE_OR_MOBILE", "TOLL_FREE", "VOIP"]);

/** Codes of no country: satellites, premium and shared-cost numbers, and disaster relief (ITU-T E.164, 8xx and 979). */
const NO_COUNTRY: ReadonlySet<string> = new Set(["800", "808", "870", "878", "881", "882", "883", "888", "979"]);

/** A number as E.164, or why nobody is called there. */
export type CheckedNumber = { ok: true; number: string; shown: string } | { ok: false; error: string };

/** Checks a number: whole and international, and none that costs more than a call, nor an emergency or short number. */
export function checkPhoneNumber(given: string): CheckedNumber {
  const parsed = given.trim().startsWith("+") ? parsePhoneNumberFromString(given) : undefined;
  if (!parsed)
    return {
      ok: false,
      error: "Write the number in its international form, with + and the country's code. Short and emergency numbers are not called.",
    };
  if (!parsed.isValid() || parsed.ext) {
    return { ok: false, error: `${given.trim()} is no phone number that can be called. Short and emergency numbers are not called.` };
  }
  const type = parsed.getType();
  // North America sells numbers at a premium under the exchange 976 of every area too.
  const isExchange976 = parsed.countryCallingCode === "1" && parsed.nationalNumber.slice(3, 6) === "976";
  if (NO_COUNTRY.has(parsed.countryCallingCode) || type === undefined || !CALLED.has(type) || isExchange976) {
    return {
      ok: false,
      error: `${parsed.formatInternational()} costs more than a call, or is no ordinary line: such numbers are not called.`,
    };
  }
  return { ok: true, number: parsed.number, shown: parsed.formatInternational() };
}
