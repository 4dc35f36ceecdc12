import { ApiError } from "#web/lib/api.ts";

/** What a failed send means for the message: it waits for the connection, goes back to the composer, or stays with Retry. */
export type SendFailure =
  | { kind: "offline" }
  | { kind: "refused"; code: string; message: string }
  | { kind: "failed"; code: string; message: string };

/** Sorts a send's failure: a refusal (4xx) says that nothing was stored; anything else may have been and is tried again under the same id. */
export function classifyFailure(error: unknown): SendFailure {
  if (!(error instanceof ApiError)) return { kind: "failed", code: "INTERNAL", message: "Something went wrong. Try again." };
  const { code, message, status } = error;
  if (code === "OFFLINE") return { kind: "offline" };
  return status >= 400 && status < 500 ? { kind: "refused", code, message } : { kind: "failed", code, message };
}

/** The one way out of a refusal. */
export type Remedy = "sign_in" | "ask_for_pro" | "switch_model" | "see_usage" | "none";

/** What the person can do about a refusal, by its code. */
export function remedyFor(code: string): Remedy {
  switch (code) {
    case "GUEST_LIMIT":
    case "GUESTS_OFF":
    case "UNAUTHENTICATED":
    case "SIGN_IN_REQUIRED":
    case "GUEST_MODEL":
      return "sign_in";
    case "PRO_MODEL_REQUIRED":
      return "ask_for_pro";
    case "MODEL_NOT_FOUND":
    case "MODEL_NOT_ALLOWED":
      return "switch_model";
    case "INSUFFICIENT_CREDITS":
      return "see_usage";
    default:
      return "none";
  }
}
