import * as z from "zod/mini";
import { Timestamp } from "./ids.ts";

/** Every action of an administrator that the audit log knows. */
export const AuditAction = z.enum([
  "user.sign_out",
  "user.block",
  "user.unblock",
  "user.delete",
  "user.plan",
  "user.credits",
  "invite.create",
  "invite.return",
  "plan.approve",
  "plan.refuse",
  "feedback.done",
  "feedback.reopen",
  "job.retry",
]);
export type AuditAction = z.infer<typeof AuditAction>;

export const SubjectKind = z.enum(["user", "invite", "feedback", "job"]);
export type SubjectKind = z.infer<typeof SubjectKind>;

/** The fields that an action changed, as they were or are; money in US dollars. */
export const AuditState = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type AuditState = z.infer<typeof AuditState>;

/** One entry of the audit log: who did what to whom, and what was there before and after. */
export const AuditEntry = z.object({
  id: z.string(),
  at: Timestamp,
  actor: z.object({ id: z.string(), name: z.string(), email: z.nullable(z.string()) }),
  action: AuditAction,
  reason: z.nullable(z.string()),
  /** By the name that it had then. */
  subject: z.object({ kind: SubjectKind, id: z.string(), name: z.string(), email: z.nullable(z.string()) }),
  before: z.nullable(AuditState),
  after: z.nullable(AuditState),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
