import * as z from "zod/mini";
import { MOVED_ON } from "./moved-on.ts";

/** The one table of failures: what each code answers over HTTP and says when nothing better is known. */
export const ERRORS = {
  INVALID_INPUT: { status: 400, message: "That request is not valid." },
  INVALID_JSON: { status: 400, message: "The request's body is not valid JSON." },
  INVALID_CODE: { status: 400, message: "Invalid or expired code." },
  INVALID_LINK: { status: 400, message: "This link has expired or was used already." },
  UNAUTHENTICATED: { status: 401, message: "Please sign in." },
  SIGN_IN_REQUIRED: { status: 401, message: "Sign in required" },
  FEEDBACK_SIGN_IN: { status: 401, message: "Please login to submit feedback" },
  INSUFFICIENT_CREDITS: { status: 402, message: "Your credits are used up. Add credits to go on; your text is kept." },
  TEAM_BUDGET_REACHED: {
    status: 402,
    message: "Your budget of this month in this team is used up. An admin of the team can raise it; your text is kept.",
  },
  API_KEY_BUDGET: { status: 402, message: "This key's budget of the month is used up. It is set in the settings, under API keys." },
  API_KEYS_FULL: { status: 409, message: "An account can have 20 keys. Revoke one first." },
  TRIGGERED_BUDGET: { status: 402, message: "The daily budget for messages that come in by themselves is used up." },
  FORBIDDEN: { status: 403, message: "You may not do that." },
  FOREIGN_ORIGIN: { status: 403, message: "This request came from another site and was refused." },
  HTTPS_REQUIRED: { status: 403, message: "This site answers by https alone. What was sent by plain http may have been read on the way." },
  FRESH_SIGN_IN_REQUIRED: { status: 403, message: "For your security, sign in again first." },
  EMAIL_IN_USE: { status: 409, message: "This address belongs to an account already." },
  EMAILS_FULL: { status: 409, message: "An account can have 5 additional addresses. Remove one first." },
  NUMBER_LINKED: { status: 409, message: "This number is linked to your account already." },
  GUESTS_OFF: { status: 401, message: "Please sign in to send messages." },
  GUEST_LIMIT: { status: 429, message: "Today's free messages are used up. Sign in to go on; your chats come with you." },
  GUEST_MODEL: { status: 403, message: "This model is for signed-in users. Sign in, or pick a lighter model." },
  ACCOUNT_BLOCKED: { status: 403, message: "This account is blocked. Ask whoever runs this site about it." },
  INVITE_REQUIRED: { status: 403, message: "Signing up needs a valid invite." },
  PRO_MODEL_REQUIRED: { status: 403, message: "Pro Model Access Required" },
  MODEL_NOT_ALLOWED: { status: 403, message: "This model is not among the models you allow." },
  NOT_FOUND: { status: 404, message: "Not found." },
  PUBLIC_PAGE_ONLY: { status: 404, message: "This chat is not shared with you. It can be read on its public page." },
  USER_NOT_FOUND: { status: 404, message: "Nobody has signed up with this address yet." },
  INVITE_INVALID: { status: 404, message: "This invite is not valid, or was used already." },
  INVITE_FOR_NEWCOMERS: { status: 409, message: "This invite opens a new account. You have one already." },
  NO_INVITES_LEFT: { status: 403, message: "No invites remaining this month" },
  TEAM_PLAN_REQUIRED: { status: 403, message: "Creating a team needs the team plan." },
  MEMBERS_RESTRICTED: {
    status: 403,
    message: "Member information is restricted — Only administrators can view team members for this team",
  },
  TEAM_INVITATION_NOT_FOUND: { status: 404, message: "This invitation link is not valid." },
  TEAM_INVITATION_CLOSED: { status: 409, message: "This invitation is no longer open." },
  TEAM_INVITATION_MISMATCH: { status: 403, message: "This invitation is for another address." },
  TEAM_NOT_FOUND: { status: 404, message: "You are not in this team." },
  TEAM_ADMINS_ONLY: { status: 403, message: "In this team only admins share, and you are none." },
  MCP_CLIENT_REQUIRED: {
    status: 400,
    message: "This server registers no apps by itself. Register one there, and enter its client ID, and its secret if it has one.",
  },
  MODEL_NOT_FOUND: { status: 404, message: "Model not found" },
  METHOD_NOT_ALLOWED: { status: 405, message: "This address does not take that method." },
  REQUEST_TIMEOUT: { status: 408, message: "This took too long to arrive. Send it again." },
  CONFLICT: { status: 409, message: "This was already sent with other content." },
  STILL_RUNNING: { status: 409, message: "This is still being done. Ask again in a moment." },
  ALREADY_DECIDED: { status: 409, message: "This was already decided." },
  TURN_IN_PROGRESS: { status: 409, message: "A reply is still being written in this chat." },
  CHAT_MOVED_ON: { status: 409, message: MOVED_ON },
  SHARED_NOT_ARCHIVED: { status: 409, message: "Shared chats can't be archived." },
  UNDO_EXPIRED: { status: 409, message: "That can't be undone any more." },
  ATTACHMENT_GONE: { status: 400, message: "A file of this message is no longer here. Attach it again." },
  MODEL_WITHOUT_VISION: { status: 400, message: "This model cannot see pictures. Pick one with vision, or remove them." },
  PICTURE_TOO_LARGE: { status: 400, message: "Models take pictures up to 5 MB, and 10 MB in one message." },
  UPLOAD_BROKEN: { status: 400, message: "The upload broke off. Try again." },
  FILE_TOO_LARGE: { status: 413, message: "File size exceeds 50MB limit" },
  STORAGE_FULL: { status: 413, message: "Your storage is full. Delete artifacts, or chats with files, to make room." },
  FILE_TYPE: { status: 415, message: "File type not supported or doesn't match its extension" },
  PAYLOAD_TOO_LARGE: { status: 413, message: "That is too large." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "Send the request's body as JSON." },
  RATE_LIMITED: { status: 429, message: "Too many requests. Wait a little and try again." },
  STREAMS_LIMITED: { status: 429, message: "You follow too many replies at once. Close some tabs and try again." },
  CODE_RATE_LIMITED: { status: 429, message: "Too many codes were asked for. Try again in an hour." },
  CODE_TRIES_LIMITED: { status: 429, message: "Too many wrong codes. Use the link in the mail, or try again in an hour." },
  LINK_ONLY: { status: 429, message: "Too many wrong codes were entered for this address today. Use the link in the mail." },
  WRONG_CODES_TODAY: {
    status: 429,
    message: "Too many wrong codes were entered for this address or number today. Try again tomorrow.",
  },
  NUMBER_TRIES_LIMITED: { status: 429, message: "Too many wrong codes. Try again in an hour." },
  INVITATIONS_LIMITED: { status: 429, message: "Too many invitations were sent. Try again later." },
  USAGE_CHECK_FAILED: { status: 503, message: "Your credits could not be checked. Nothing was sent; try again." },
  AGGREGATOR_UNAVAILABLE: { status: 503, message: "The models cannot be reached right now." },
  SUMMARY_FAILED: { status: 502, message: "Failed to generate summary" },
  RECORDING_TOO_LARGE: { status: 413, message: "A recording may have up to 25 MB. Record in shorter pieces." },
  RECORDING_TYPE: { status: 415, message: "This recording cannot be transcribed: it is no WebM, Ogg, MP4 or WAV." },
  TRANSCRIPTION_FAILED: { status: 502, message: "The transcription service cannot be reached right now. Try again." },
  ARTIFACTS_OFF: { status: 503, message: "Artifacts are switched off in this deployment." },
  ARTIFACT_CONFLICT: { status: 409, message: "Somebody else changed the same lines. Nothing was overwritten: look at both texts." },
  SHARE_LINKS_OFF: { status: 503, message: "Share links are switched off in this deployment." },
  TRANSCRIPTION_OFF: { status: 503, message: "Transcribing is not set up in this deployment." },
  MAIL_NOT_CONFIGURED: {
    status: 503,
    message: "Signing in by mail is not set up: this deployment has neither an EMAIL binding nor RESEND_API_KEY.",
  },
  MAIL_FAILED: { status: 502, message: "Failed to send code" },
  PUSH_OFF: { status: 503, message: "Notifications by push are not set up in this deployment." },
  PUSH_DEVICES_FULL: { status: 409, message: "20 devices get your notifications. Remove one first." },
  PUSH_FAILED: { status: 502, message: "This device's push service did not take the notification. Try again in a moment." },
  WHATSAPP_OFF: { status: 503, message: "WhatsApp is not set up in this deployment." },
  NOT_ON_WHATSAPP: { status: 400, message: "This number does not use WhatsApp." },
  WHATSAPP_FAILED: { status: 502, message: "WhatsApp did not take the message. Try again in a moment." },
  GOOGLE_NOT_CONFIGURED: { status: 503, message: "Signing in with Google is not set up in this deployment." },
  GOOGLE_UNREACHABLE: { status: 502, message: "Google cannot be reached right now. Try again." },
  FEEDBACK_NOT_SUPPORTED: { status: 503, message: "Feedback is not supported in this deployment" },
  STORAGE_NOT_CONFIGURED: { status: 503, message: "File upload not available" },
  DATABASE_NOT_CONFIGURED: { status: 503, message: "Supabase is not configured" },
  CONFIGURATION_BROKEN: { status: 500, message: "This deployment is not set up correctly." },
  INTERNAL: { status: 500, message: "Something went wrong on our side. Try again." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** What is said to the owner of a blocked account where the deployment names whom to ask. */
export function blockedText(operatorEmail: string): string {
  return `This account is blocked. Write to ${operatorEmail} about it.`;
}

/** The shape of every failure on the wire; there is no envelope on success. */
export const ErrorBody = z.object({ error: z.string(), code: z.string() });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** True for a code of the table; others come from a newer server. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
