import type { Team, TeamInvitation } from "#shared/entities/team.ts";
import type { SessionStatus } from "#web/features/people/session/use-session.ts";
import { ApiError, serverMessage } from "#web/lib/api.ts";
import { shortDate } from "#web/lib/format.ts";
import { firstName } from "./team-labels.ts";

/** What the dialog of an invitation shows. */
export type InvitationState =
  | { kind: "loading" }
  /** It could not be asked for, or the link is none. */
  | { kind: "failed"; notice: string; detail: string }
  | { kind: "unknown" }
  | { kind: "closed"; invitation: TeamInvitation; status: "expired" | "cancelled" | "accepted"; notice: string; detail: string | null }
  | { kind: "signIn"; invitation: TeamInvitation }
  | { kind: "mismatch"; invitation: TeamInvitation; ownEmail: string }
  | { kind: "open"; invitation: TeamInvitation }
  | { kind: "welcome"; team: Team };

/** Who looks at it. */
export type Reader = { status: SessionStatus; user: { email: string | null } | null };

type Asked = {
  invitation: TeamInvitation | undefined;
  error: Error | null;
  session: Reader;
  /** The team that was just joined. */
  joined: Team | undefined;
};

/** Which state the dialog is in: what was just accepted first, then what the link leads to, then who looks at it. */
export function invitationState({ invitation, error, session: { status, user }, joined }: Asked): InvitationState {
  if (joined) return { kind: "welcome", team: joined };
  if (error) return failureOf(error);
  if (!invitation || status === "loading") return { kind: "loading" };
  if (invitation.status !== "pending") return { kind: "closed", invitation, ...closedState(invitation, invitation.status) };
  if (status !== "user" || !user) return { kind: "signIn", invitation };
  const ownEmail = user.email ?? "";
  return ownEmail.toLowerCase() === invitation.email ? { kind: "open", invitation } : { kind: "mismatch", invitation, ownEmail };
}

function failureOf(error: Error): InvitationState {
  const [status, code] = error instanceof ApiError ? [error.status, error.code] : [0, ""];
  if (code === "TEAM_INVITATION_NOT_FOUND") return { kind: "unknown" };
  const isWrong = status >= 400 && status < 500 && code !== "RATE_LIMITED";
  return { kind: "failed", notice: isWrong ? "Invalid invitation" : "Failed to load invitation", detail: error.message };
}

function closedState(
  { email, expires_at: expiresAt, decided_at: decidedAt, inviter }: TeamInvitation,
  status: "expired" | "cancelled" | "accepted",
): { status: typeof status; notice: string; detail: string | null } {
  switch (status) {
    case "expired": {
      const who = firstName(inviter.display_name) || "an admin of the team";
      return {
        status,
        notice: "This invitation has expired.",
        detail: `It was open until ${shortDate(expiresAt)}. Ask ${who} for a new one.`,
      };
    }
    case "cancelled":
      return { status, notice: "This invitation has been cancelled.", detail: null };
    case "accepted":
      return {
        status,
        notice: "This invitation has already been accepted.",
        detail: decidedAt && `On ${shortDate(decidedAt)}, by ${email}.`,
      };
  }
}

/** What an invitation that could not be accepted says: the server's words before ours, and below them what became of it. */
export function acceptFailure(error: Error): { notice: string; detail: string } {
  const notice = "Failed to accept invitation";
  const isAnswered = error instanceof ApiError && error.status > 0;
  if (!isAnswered) return { notice, detail: `${error.message} Try again in a moment.` };
  const serverText = error.code === "INTERNAL" ? null : serverMessage(error);
  return { notice: serverText ?? notice, detail: "Nothing has changed. The invitation is still open." };
}
