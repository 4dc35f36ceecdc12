import * as z from "zod/mini";
import { AuditEntry } from "#shared/entities/audit.ts";
import { Id } from "#shared/entities/ids.ts";
import { AdminUser } from "#shared/entities/admin-user.ts";
import { ADMIN_CREDITS_MAX, ADMIN_PAGE_MAX, ADMIN_QUERY_LENGTH, ADMIN_REASON_LENGTH } from "#shared/limits.ts";
import { Ok } from "./auth.ts";
import { TypedAddress } from "./deletion.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const CURSOR_LENGTH = 400;
/** A UUID and a comma. */
const ID_LENGTH = 37;

/** Where a page goes on; only what a page before said. */
export const AdminCursor = z.optional(z.string().check(z.maxLength(CURSOR_LENGTH)));

const REASON = "Say why, in up to 500 characters.";
/** Why an act is done, kept in the audit log. */
export const Reason = z.string(REASON).check(z.trim(), z.minLength(1, REASON), z.maxLength(ADMIN_REASON_LENGTH, REASON));
export const OptionalReason = z.optional(z.string().check(z.trim(), z.maxLength(ADMIN_REASON_LENGTH, REASON)));

export const AdminParams = z.object({ id: Id });

export const listUsers = endpoint("GET", "/api/admin/users", {
  summary: "People and guests, last seen first; or accounts whose name or address begins so, or who has this id",
  access: "admin",
  query: z.object({ q: z.optional(z.string().check(z.trim(), z.maxLength(ADMIN_QUERY_LENGTH))), cursor: AdminCursor }),
  response: z.object({ users: z.array(AdminUser), nextCursor: z.nullable(z.string()) }),
});

/** Ids with commas between. */
const Ids = z.string().check(z.maxLength(ADMIN_PAGE_MAX * ID_LENGTH), z.regex(/^[0-9a-f-]{36}(?:,[0-9a-f-]{36})*$/, "Not valid ids."));

export const listBalances = endpoint("GET", "/api/admin/balances", {
  summary: "What the ledgers of these accounts hold, and what they and these guests spent on this month's closed days, in US dollars",
  access: "admin",
  query: z.object({ ids: Ids }),
  response: z.object({ balances: z.array(z.object({ id: Id, credits: z.nullable(z.number()), spent: z.number() })) }),
});

const UserAnswer = z.object({ user: AdminUser });

export const signOutUser = endpoint("POST", "/api/admin/users/:id/sign-out", {
  summary: "End all sessions of an account; what they hold open is closed",
  access: "admin",
  repeat: "same",
  params: AdminParams,
  body: z.object({ reason: OptionalReason }),
  response: Ok,
});

export const blockUser = endpoint("POST", "/api/admin/users/:id/block", {
  summary: "Keep an account from being opened, and end its sessions",
  access: "admin",
  repeat: "same",
  params: AdminParams,
  body: z.object({ reason: Reason }),
  response: UserAnswer,
});

export const unblockUser = endpoint("POST", "/api/admin/users/:id/unblock", {
  summary: "Let a blocked account be opened again",
  access: "admin",
  repeat: "same",
  params: AdminParams,
  body: z.object({ reason: OptionalReason }),
  response: UserAnswer,
});

export const deleteUser = endpoint("DELETE", "/api/admin/users/:id", {
  summary: "Delete an account with all that is its own; names its address",
  access: "admin",
  params: AdminParams,
  body: z.object({ email: TypedAddress, reason: Reason }),
  response: Ok,
  status: 202,
});

export const changePlan = endpoint("PUT", "/api/admin/users/:id/plan", {
  summary: "Give an account a plan, or take it away",
  access: "admin",
  params: AdminParams,
  body: z.object({ plan: z.enum(["none", "solo", "team"]), reason: OptionalReason }),
  response: UserAnswer,
});

const CREDITS = `Credits are an amount of US dollars above 0, up to ${ADMIN_CREDITS_MAX}, in whole cents.`;

export const giveCredits = endpoint("POST", "/api/admin/users/:id/credits", {
  summary: "Give an account credits as an entry of its ledger; answers the balance",
  access: "admin",
  repeat: "key",
  params: AdminParams,
  body: z.object({
    amount: z.number(CREDITS).check(z.multipleOf(0.01, CREDITS), z.minimum(0.01, CREDITS), z.maximum(ADMIN_CREDITS_MAX, CREDITS)),
    reason: Reason,
  }),
  response: z.object({ credits: z.number() }),
});

export const listAudit = endpoint("GET", "/api/admin/audit", {
  summary: "What administrators did, newest first; of one account or thing where its id is given",
  access: "admin",
  query: z.object({ subject: z.optional(z.string().check(z.maxLength(CURSOR_LENGTH))), cursor: AdminCursor }),
  response: z.object({ entries: z.array(AuditEntry), nextCursor: z.nullable(z.string()) }),
});
