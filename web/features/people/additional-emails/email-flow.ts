/** Where adding an address stands. */
export type EmailFlow = { step: "enter"; email: string } | { step: "verify"; email: string; code: string; isProven: boolean };

export type EmailFlowEvent =
  | { type: "typed"; email: string }
  | { type: "mailed" }
  | { type: "awaited"; email: string }
  | { type: "code_typed"; code: string }
  | { type: "proven" }
  | { type: "back" };

export const FIRST_STEP: EmailFlow = { step: "enter", email: "" };

/** The flow after an event: an enter step, then a verify step; Back returns to the address, and the end to an empty one. */
export function nextStep(flow: EmailFlow, event: EmailFlowEvent): EmailFlow {
  switch (event.type) {
    case "typed":
      return { step: "enter", email: event.email };
    case "mailed":
      return { step: "verify", email: flow.email, code: "", isProven: false };
    case "awaited":
      return { step: "verify", email: event.email, code: "", isProven: false };
    case "code_typed":
      return flow.step === "verify" ? { ...flow, code: event.code } : flow;
    case "proven":
      return flow.step === "verify" ? { ...flow, isProven: true } : flow;
    case "back":
      return flow.step === "verify" && flow.isProven ? FIRST_STEP : { step: "enter", email: flow.email };
  }
}
