import * as z from "zod/mini";
import { DecidedCall, WaitingAnswer, WaitingCall, WaitingMail } from "#shared/entities/waiting-call.ts";
import { APPROVALS_PAGE, APPROVALS_PAGE_MAX } from "#shared/limits.ts";
import { pageCursor, pageSize } from "./chats.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

/** A time and an id. */
const APPROVALS_CURSOR = /^[\dTZ:.-]{10,30}~[\da-fA-F-]{36}$/;

export const listApprovals = endpoint("GET", "/api/approvals", {
  summary:
    "A page of what waits for the caller's own word, over all chats, newest first: tool calls, mails of unknown senders, and answers to mails that used what is the caller's alone",
  access: "user",
  query: z.object({ cursor: pageCursor(APPROVALS_CURSOR), limit: pageSize(APPROVALS_PAGE, APPROVALS_PAGE_MAX) }),
  response: z.object({
    approvals: z.array(WaitingCall),
    mails: z.array(WaitingMail),
    answers: z.array(WaitingAnswer),
    /** All that wait, on every page. */
    count: z.number(),
    nextCursor: z.nullable(z.string()),
  }),
});

export const listDecided = endpoint("GET", "/api/approvals/decided", {
  summary: "A page of the tool calls that the caller decided about, or that ended without a word, newest first",
  access: "user",
  query: z.object({ cursor: pageCursor(APPROVALS_CURSOR), limit: pageSize(APPROVALS_PAGE, APPROVALS_PAGE_MAX) }),
  response: z.object({ decided: z.array(DecidedCall), nextCursor: z.nullable(z.string()) }),
});
