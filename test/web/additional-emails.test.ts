import { expect, it } from "vitest";
import { FIRST_STEP, nextStep, type EmailFlow, type EmailFlowEvent } from "#web/features/people/additional-emails/email-flow.ts";

const after = (...events: EmailFlowEvent[]): EmailFlow => events.reduce(nextStep, FIRST_STEP);
const typed = { type: "typed", email: "a@b.example" } as const;

it.each<[string, EmailFlowEvent[], EmailFlow]>([
  ["asks for the address first", [], { step: "enter", email: "" }],
  ["asks for the code once it was mailed", [typed, { type: "mailed" }], { step: "verify", email: typed.email, code: "", isProven: false }],
  ["goes back to the address as it was typed", [typed, { type: "mailed" }, { type: "back" }], { step: "enter", email: typed.email }],
  [
    "says that it is proven",
    [typed, { type: "mailed" }, { type: "code_typed", code: "12" }, { type: "proven" }],
    { step: "verify", email: typed.email, code: "12", isProven: true },
  ],
  ["is empty again after that", [typed, { type: "mailed" }, { type: "proven" }, { type: "back" }], FIRST_STEP],
  [
    "takes up an address that waits for its code",
    [{ type: "awaited", email: "x@y.example" }],
    { step: "verify", email: "x@y.example", code: "", isProven: false },
  ],
  [
    "takes no code before one was mailed",
    [typed, { type: "code_typed", code: "1" }, { type: "proven" }],
    { step: "enter", email: typed.email },
  ],
])("adding an address %s", (_, events, flow) => {
  expect(after(...events)).toEqual(flow);
});
