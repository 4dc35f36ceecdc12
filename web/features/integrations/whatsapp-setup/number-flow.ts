/** Where linking a number stands. */
export type NumberFlow =
  | { step: "number"; draft: NumberDraft }
  | { step: "code"; draft: NumberDraft; number: string; code: string; sentAt: number }
  | { step: "verified"; number: string };

/** The number as it is being typed, of the country that it is read by. */
export type NumberDraft = { country: string; text: string };

export type NumberFlowEvent =
  | { type: "drafted"; draft: NumberDraft }
  | { type: "sent"; number: string; at: number }
  | { type: "code_typed"; code: string }
  | { type: "verified" }
  | { type: "back" };

/** The flow after an event: phone, code, verified. Whoever changes the number finds it as they typed it. */
export function nextStep(flow: NumberFlow, event: NumberFlowEvent): NumberFlow {
  if (flow.step === "verified") return flow;
  switch (event.type) {
    case "drafted":
      return { step: "number", draft: event.draft };
    case "sent":
      return { step: "code", draft: flow.draft, number: event.number, code: "", sentAt: event.at };
    case "code_typed":
      return flow.step === "code" ? { ...flow, code: event.code } : flow;
    case "verified":
      return flow.step === "code" ? { step: "verified", number: flow.number } : flow;
    case "back":
      return { step: "number", draft: flow.draft };
  }
}

/** The first step: a number to type, or the code of one that it was sent to before; `sentAt` long past, as another may be asked for. */
export function firstStep(country: string, awaited: string | null): NumberFlow {
  const draft = { country, text: "" };
  return awaited === null ? { step: "number", draft } : { step: "code", draft, number: awaited, code: "", sentAt: 0 };
}
