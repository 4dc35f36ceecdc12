import { expect, it } from "vitest";
import { clock } from "#web/features/integrations/whatsapp-setup/code-step.tsx";
import { firstStep, nextStep, type NumberFlow, type NumberFlowEvent } from "#web/features/integrations/whatsapp-setup/number-flow.ts";
import {
  callingCodeOf,
  countries,
  countryOf,
  exampleOf,
  NUMBER_REQUIRED,
  NUMBER_WRONG,
  readNumber,
  shownNumber,
} from "#web/features/integrations/whatsapp-setup/phone-number.ts";

it.each([
  ["(212) 555-0123", "US", "+12125550123", "US"],
  [" 212 555 0123 ", "US", "+12125550123", "US"],
  ["+49 1512 3456789", "US", "+4915123456789", "DE"],
  ["01512 3456789", "DE", "+4915123456789", "DE"],
  ["0044 20 7946 0958", "DE", "+442079460958", "GB"],
])("a typed number: %j in %s is %s", (text, country, number, of) => {
  expect(readNumber(text, country)).toEqual({ ok: true, number, country: of });
});

it.each([
  ["", NUMBER_REQUIRED],
  ["  ", NUMBER_REQUIRED],
  ["555", NUMBER_WRONG],
  ["+999 123", NUMBER_WRONG],
  ["words", NUMBER_WRONG],
  ["+1 212 555 0123 ext. 5", NUMBER_WRONG],
])("a typed number: %j is refused: %s", (text, error) => {
  expect(readNumber(text, "US")).toEqual({ ok: false, error });
});

it("a typed number is shown in groups, and names its country once it has a plus", () => {
  expect(shownNumber("+4915123456789")).toBe("+49 1512 3456789");
  expect(shownNumber("+12125550123")).toBe("+1 212 555 0123");
  expect([countryOf("+49 1512 3456789"), countryOf("01512 3456789"), countryOf("+")]).toEqual(["DE", null, null]);
});

it("every country is listed by name with its calling code, the United States first", () => {
  const all = countries();
  expect(all.slice(0, 3)).toEqual([
    { code: "US", name: "United States", callingCode: "+1" },
    { code: "AF", name: "Afghanistan", callingCode: "+93" },
    { code: "AX", name: "Åland Islands", callingCode: "+358" },
  ]);
  expect(all.length).toBeGreaterThan(200);
  expect([exampleOf("US"), exampleOf("DE"), callingCodeOf("DE"), callingCodeOf("nowhere")]).toEqual([
    "(201) 555-0123",
    "01512 3456789",
    "+49",
    "+1",
  ]);
});

it("seconds are written as a clock", () => {
  expect([clock(60), clock(42), clock(5), clock(0)]).toEqual(["1:00", "0:42", "0:05", "0:00"]);
});

const draft = { country: "US", text: "212 555 0123" };
const number = "+12125550123";
const sent = { type: "sent", number, at: 5 } as const;
const after = (...events: NumberFlowEvent[]): NumberFlow => events.reduce(nextStep, firstStep("US", null));

it.each<[string, NumberFlowEvent[], NumberFlow]>([
  ["asks for the number first", [], { step: "number", draft: { country: "US", text: "" } }],
  ["asks for the code once it was sent", [{ type: "drafted", draft }, sent], { step: "code", draft, number, code: "", sentAt: 5 }],
  ["goes back to the number as it was typed", [{ type: "drafted", draft }, sent, { type: "back" }], { step: "number", draft }],
  [
    "is empty again once another code was sent",
    [{ type: "drafted", draft }, sent, { type: "code_typed", code: "12" }, { ...sent, at: 9 }],
    { step: "code", draft, number, code: "", sentAt: 9 },
  ],
  ["ends once it is verified", [{ type: "drafted", draft }, sent, { type: "verified" }, { type: "back" }], { step: "verified", number }],
  [
    "is not verified before a code was sent",
    [{ type: "drafted", draft }, { type: "code_typed", code: "1" }, { type: "verified" }],
    { step: "number", draft },
  ],
])("linking a number %s", (_, events, flow) => {
  expect(after(...events)).toEqual(flow);
});

it("the setup continues with a number whose code is still valid", () => {
  expect(firstStep("US", number)).toEqual({ step: "code", draft: { country: "US", text: "" }, number, code: "", sentAt: 0 });
});
