import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { AppError } from "../app-error.ts";

/** A typed number as E.164; one without a country's code is taken as one of the United States. Throws INVALID_INPUT for what is none. */
export function toPhoneNumber(given: string): string {
  const parsed = parsePhoneNumberFromString(given, "US");
  if (!parsed?.isValid() || parsed.ext) {
    throw new AppError("INVALID_INPUT", { message: "Enter a whole number, in its international form." });
  }
  return parsed.number;
}

/** A number for people, in groups: `+49 1512 3456789`. */
export function shownNumber(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number;
}
