/** Calling codes of one digit and of two; all others have three (ITU-T E.164). */
const SHORT_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

const E164 = /^\+[1-9]\d{6,14}$/;
/** How the end of a call is told in its chat. */
const CALL_END = /^(The call to )(\+\d+)(?= has ended: )/;

/** An international number in groups, which stay in one line: `+1 415 555 0123`; any other text as it is. */
export function groupedNumber(text: string): string {
  if (!E164.test(text)) return text;
  const digits = text.slice(1);
  const code = SHORT_CODE.exec(digits)?.[0] ?? digits.slice(0, 3);
  return [`+${code}`, ...groupsOf(digits.slice(code.length))].join("\u00A0");
}

/** The words that tell of a call's end with its number in groups; any other message as it is. */
export function shownCallEnd(content: string): string {
  return content.replace(CALL_END, (_, words: string, number: string) => words + groupedNumber(number));
}

/** Three digits each, and four in the last ones where threes do not come out even. */
function groupsOf(digits: string): string[] {
  if (digits.length <= 4) return [digits];
  const fours = digits.length % 3;
  // Five digits are a two and a three.
  if (digits.length < fours * 4) return [digits.slice(0, 2), digits.slice(2)];
  const threes = digits.slice(0, digits.length - fours * 4);
  const rest = digits.slice(threes.length);
  return [...(threes.match(/\d{3}/g) ?? []), ...(rest.match(/\d{4}/g) ?? [])];
}
