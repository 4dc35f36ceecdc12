import { expect, it } from "vitest";
import { groupedNumber, shownCallEnd } from "#web/lib/phone-number.ts";

const plain = (text: string) => text.replaceAll("\u00A0", " ");

it.each([
  ["+14155550123", "+1 415 555 0123"],
  ["+4930901820", "+49 3090 1820"],
  ["+4915123456789", "+49 151 2345 6789"],
  ["+351912345678", "+351 912 345 678"],
  ["+79161234567", "+7 916 123 4567"],
  ["+2905123", "+290 5123"],
  ["+29051234", "+290 51 234"],
  ["+68512345678", "+685 1234 5678"],
  ["911", "911"],
  ["+49 30 901820", "+49 30 901820"],
  ["4155550123", "4155550123"],
  ["+1415555012", "+1 415 555 012"],
])("%s is read as %s", (number, read) => {
  expect(plain(groupedNumber(number))).toBe(read);
});

it("The end of a call is told with its number in groups, and what people write stays as they wrote it", () => {
  const end = "The call to +14155550123 has ended: completed, 0:45, $0.10. Tell me what came of it.";
  expect(plain(shownCallEnd(end))).toBe(end.replace("+14155550123", "+1 415 555 0123"));
  expect(shownCallEnd("Ring +14155550123.")).toBe("Ring +14155550123.");
});
