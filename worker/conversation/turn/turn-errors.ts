import type { MessageError } from "#shared/entities/message.ts";
import { type ErrorCode, ERRORS } from "#shared/errors.ts";
import { TOOL_ROUNDS } from "#shared/limits.ts";
import type { AggregatorError, AggregatorFailure } from "#worker/platform/clients/aggregator-errors.ts";

type Failed = {
  attempts: number;
  /** The model that was asked; null where it goes without saying. */
  model: string | null;
};

type Explain = (error: AggregatorError, provider: string, failed: Failed) => Pick<MessageError, "message" | "action">;

const EXPLANATIONS: Record<AggregatorFailure, Explain> = {
  aborted: () => ({ message: "The reply was stopped.", action: "retry" }),
  stalled: (_, provider) => ({ message: `${provider} stopped sending for over a minute.`, action: "retry" }),
  unreachable: () => ({ message: "The models cannot be reached right now.", action: "retry" }),
  cut: (_, provider) => ({ message: `The connection to ${lower(provider)} broke off.`, action: "retry" }),
  timeout: (_, provider, { attempts }) => ({ message: `${provider} took too long to answer${within(attempts)}.`, action: "retry" }),
  rate_limited: (error, provider, { attempts }) => ({
    message: `${provider} is getting too many requests and refused${times(attempts)}.`,
    action: error.retryAfter ? "wait" : "retry",
  }),
  overloaded: (_, provider, { attempts }) => ({ message: `${provider} was overloaded and refused${times(attempts)}.`, action: "retry" }),
  provider_down: (_, provider, { attempts }) => ({
    message: `${provider} is down or gave an invalid answer${within(attempts)}.`,
    action: "switch_model",
  }),
  unauthenticated: () => ({
    message: "This deployment's key for the models is missing or was refused. Tell its operator.",
    action: "retry",
  }),
  // The aggregator's account is the deployment's; a person's own credits are refused before the turn.
  out_of_credits: () => ({ message: "This deployment's account with the models is used up. Tell its operator.", action: "retry" }),
  forbidden: (_, provider) => ({ message: `${provider} does not permit this request.`, action: "switch_model" }),
  moderated: (error) => ({
    message: `The provider's moderation refused this message${error.reasons.length > 0 ? ` (${error.reasons.join(", ")})` : ""}.`,
    action: "switch_model",
  }),
  model_not_found: (_, __, { model }) => ({
    message: model === null ? ERRORS.MODEL_NOT_FOUND.message : `Model ${model} not found`,
    action: "switch_model",
  }),
  no_endpoint: () => ({ message: "No provider offers this model for a request like this.", action: "switch_model" }),
  context_too_long: () => ({ message: "This chat is longer than the model can read.", action: "switch_model" }),
  too_large: () => ({ message: "This message is too large for the model.", action: "shorten" }),
  invalid: (_, provider) => ({ message: `${provider} could not process this request.`, action: "switch_model" }),
  endless: () => ({ message: "The answer reached the longest that one message can be. What came is kept.", action: "switch_model" }),
  server: (_, provider) => ({ message: `${provider} had an error of its own.`, action: "retry" }),
};

/** A failed turn as its reader sees it: the cause in one sentence, and one thing to do. Codes are `AGGREGATOR_` and the failure's kind. */
export function explainFailure(error: AggregatorError, failed: Failed): MessageError {
  const code = error.kind === "model_not_found" ? "MODEL_NOT_FOUND" : `AGGREGATOR_${error.kind.toUpperCase()}`;
  return { code, retryAfter: error.retryAfter, ...EXPLANATIONS[error.kind](error, error.provider ?? "The provider", failed) };
}

/** What a model that ended without a word is shown as. */
export const EMPTY_ANSWER: MessageError = {
  code: "EMPTY_ANSWER",
  message: "The model ended without an answer.",
  action: "retry",
  retryAfter: null,
};

/** What a model is shown as that wrote no word, as its thinking took all that its answer might have. */
export const THOUGHT_ONLY: MessageError = {
  ...EMPTY_ANSWER,
  message: "The model used up the longest answer it may give by thinking. Try again, or pick another model.",
  action: "switch_model",
};

/** What is said of an answer that ended where no more of it was reserved. */
export const ANSWER_BOUND: MessageError = {
  code: "ANSWER_BOUND",
  message: "This is as long as one answer may be with what is left to spend. Continue lets it go on.",
  action: "none",
  retryAfter: null,
};

const WHAT_IS_LEFT: Partial<Record<ErrorCode, string>> = {
  INSUFFICIENT_CREDITS: "What is left of the credits does not pay for the next step.",
  TEAM_BUDGET_REACHED: "What is left of this month's budget in the team does not pay for the next step.",
  API_KEY_BUDGET: "What is left of this key's budget of the month does not pay for the next step.",
  TRIGGERED_BUDGET: "What is left of the budget for what comes in by itself does not pay for the next step.",
};

const GUESTS_USED_UP = "Today's free messages are used up, so this answer ends here. Sign in, and Continue lets it go on.";

/** Why a turn ends with what is there: its next step cannot be paid. */
export function unpaidError(code: ErrorCode): MessageError {
  if (code === "GUEST_LIMIT") return { code, message: GUESTS_USED_UP, action: "sign_in", retryAfter: null };
  const why = WHAT_IS_LEFT[code] ?? ERRORS[code].message;
  const action = code === "INSUFFICIENT_CREDITS" ? "add_credits" : "none";
  return { code, message: `${why} Continue lets it go on from here.`, action, retryAfter: null };
}

/** What a provider's content filter leaves. */
export const FILTERED_ANSWER: MessageError = {
  code: "CONTENT_FILTERED",
  message: "The provider's content filter ended this answer.",
  action: "switch_model",
  retryAfter: null,
};

/** What is said when a model still calls tools after the last round. */
export const ROUNDS_USED: MessageError = {
  code: "TOOL_ROUNDS_USED",
  message: `The model used tools ${TOOL_ROUNDS} times in a row, which is the limit of one answer. Continue lets it go on.`,
  action: "none",
  retryAfter: null,
};

/** A fault of our own. */
export const INTERNAL_FAILURE: MessageError = {
  code: "INTERNAL",
  message: "Something went wrong on our side. What was written is kept.",
  action: "retry",
  retryAfter: null,
};

function within(attempts: number): string {
  return attempts > 1 ? ` in${times(attempts)}` : "";
}

function times(attempts: number): string {
  return attempts > 1 ? ` ${attempts === 2 ? "two" : "three"} attempts` : "";
}

function lower(provider: string): string {
  return provider === "The provider" ? "the provider" : provider;
}
