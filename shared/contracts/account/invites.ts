import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { Invite, InviteBalance, InvitePreview } from "#shared/entities/invite.ts";
import { INVITE_CREDITS_MAX, INVITE_LABEL_LENGTH } from "#shared/limits.ts";
import { Ok } from "./auth.ts";
import { asName } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const InviteParams = z.object({ id: Id });

/** Whom an invite is for, in the creator's own words. */
const Label = z.string().check(asName, z.maxLength(INVITE_LABEL_LENGTH, "Shorten the label to 100 characters."));

const CREDITS = `Initial credits are a whole number of US dollars from 0 to ${INVITE_CREDITS_MAX}.`;

export const listInvites = endpoint("GET", "/api/invites", {
  summary: "The caller's unused invites, newest first, and how many they have left this month",
  access: "account",
  response: z.object({
    invites: z.array(Invite),
    balance: InviteBalance,
    /** What the caller gets once an administrator approves it; null where no plan waits. */
    waiting_plan: z.nullable(z.enum(["solo", "team"])),
  }),
});

export const createInvite = endpoint("POST", "/api/invites", {
  summary: "Make an invite; its plan, team, credits and activation are for administrators to choose",
  access: "account",
  repeat: "key",
  body: z
    .object({
      sent_to: z.nullish(Label),
      auto_activate: z.optional(z.boolean()),
      team_plan: z.optional(z.boolean()),
      solo_plan: z.optional(z.boolean()),
      team_id: z.nullish(Id),
      initial_credits: z.nullish(z.number(CREDITS).check(z.int(CREDITS), z.minimum(0, CREDITS), z.maximum(INVITE_CREDITS_MAX, CREDITS))),
    })
    .check(z.refine(({ team_plan: team, solo_plan: solo }) => !(team && solo), "An invite has the team plan or the solo plan, not both.")),
  response: z.object({ invite: Invite, balance: InviteBalance }),
  status: 201,
});

export const labelInvite = endpoint("PATCH", "/api/invites/:id", {
  summary: "Say whom an unused invite is for",
  access: "account",
  params: InviteParams,
  body: z.object({ sent_to: z.nullable(Label) }),
  response: z.object({ invite: Invite }),
});

export const returnInvite = endpoint("DELETE", "/api/invites/:id", {
  summary: "Take an unused invite back; where it is of this month it counts again",
  access: "account",
  params: InviteParams,
  response: Ok,
});

/** How people write a code; longer texts are none. */
const CODE_TEXT_LENGTH = 40;

const CodeParams = z.object({ code: z.string().check(z.maxLength(CODE_TEXT_LENGTH)) });

export const previewInvite = endpoint("GET", "/api/invites/:code", {
  summary: "What an unused code brings, or one that the caller has used",
  access: "anyone",
  params: CodeParams,
  response: z.object({ invite: InvitePreview }),
});

export const redeemInvite = endpoint("POST", "/api/invites/:code/redeem", {
  summary: "Give the caller's account the plan, the team and the credits of a code; one without plan or team is for new accounts",
  access: "account",
  repeat: "spent",
  params: CodeParams,
  body: z.object({}),
  response: z.object({ invite: InvitePreview }),
});
