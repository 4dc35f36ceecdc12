import * as z from "zod/mini";
import { WaitingCall } from "#shared/entities/waiting-call.ts";
import { APPROVALS_PAGE, APPROVALS_PAGE_MAX } from "#shared/limits.ts";
import { pageCursor, pageSize } from "./chats.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

/** A time and an id. */
const APPROVALS_CURSOR = /^[\dTZ:.-]{10,30}~[\da-fA-F-]{36}$/;

export const listApprovals = endpoint("GET", "/api/approvals", {
  summary: "A page of the tool calls that wait for the caller's own word, over all chats, newest first",
  access: "user",
  query: z.object({ cursor: pageCursor(APPROVALS_CURSOR), limit: pageSize(APPROVALS_PAGE, APPROVALS_PAGE_MAX) }),
  response: z.object({
    approvals: z.array(WaitingCall),
    /** All that wait, on every page. */
    count: z.number(),
    nextCursor: z.nullable(z.string()),
  }),
});
