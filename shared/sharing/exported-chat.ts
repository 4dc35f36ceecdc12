import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { AttachmentKind } from "#shared/entities/attachment.ts";
import { Autopilot } from "#shared/entities/autopilot.ts";
import { ForkOrigin } from "#shared/entities/chat.ts";
import { PortableSettings } from "#shared/entities/chat-settings.ts";
import { Id, Timestamp } from "#shared/entities/ids.ts";
import { MailState } from "#shared/entities/mail.ts";
import { MessageError, MessageUsage } from "#shared/entities/message.ts";
import { ToolDecision, ToolPart } from "#shared/entities/tool-call.ts";
import {
  ATTACHMENT_NAME_LENGTH,
  ATTACHMENTS_PER_MESSAGE,
  CHAT_TITLE_LENGTH,
  CONTENT_NAME_LENGTH,
  DISPLAY_NAME_LENGTH,
  MODEL_ID_LENGTH,
} from "#shared/limits.ts";

/** What an exported chat says it is; the version grows with every change that an older reader would not understand. */
export const EXPORT_FORMAT = "polylogue-chat";
export const EXPORT_VERSION = 1;

/** Characters of an address, of a page's title and of other short texts that others wrote. */
const SHORT_LENGTH = 8_000;

const Short = z.string().check(z.maxLength(SHORT_LENGTH));
const ModelName = z.nullable(z.string().check(z.maxLength(MODEL_ID_LENGTH)));
const Count = z.number().check(z.int(), z.minimum(0));
const Milliseconds = z.nullable(z.number().check(z.minimum(0)));
/** US dollars. */
const Cost = z.nullable(z.number().check(z.minimum(0), z.maximum(1_000_000)));
const Usage = z.nullable(z.strictObject(MessageUsage.shape));

/** A link to a page of the web: it is shown to be followed, and nothing else may hide in it. */
const PageUrl = Short.check(z.regex(/^https?:\/\/[^\s/?#\\]/i, "It links to what is no web page."));
/** Our own address of a foreign image, which proves by its signature that we offered it. */
const MediaUrl = Short.check(z.regex(/^\/api\/media\/[\w-]+\/[\w-]+$/, "It shows an image that was not found here."));

/** A page that could not be read may have had no address at all. */
const ExportedSource = z.union([
  z.strictObject({ url: PageUrl, title: z.nullable(Short), error: z.null() }),
  z.strictObject({ url: Short, title: z.nullable(Short), error: Short }),
]);

/** One tool call; `arguments` and `edited_input` are JSON as text, as the model and a person wrote them. Dollars and milliseconds. */
const ExportedCall = z.strictObject({
  /** As the model wrote it, which may be no tool's id. */
  tool: Short,
  arguments: z.string(),
  edited_input: z.nullable(z.string()),
  status: z.enum(["done", "failed", "discarded", "stopped"]),
  decision: z.nullable(ToolDecision),
  /** Where it stands in the message's text, in UTF-16 units. */
  at: Count,
  output: z.nullable(z.string()),
  sources: z.array(ExportedSource),
  images: z.array(z.strictObject({ url: MediaUrl, page_url: PageUrl, title: z.nullable(Short) })),
  parts: z.array(z.strictObject({ ...ToolPart.shape, status: z.enum(["done", "failed"]), cost: Cost })),
  cost: Cost,
  duration_ms: Milliseconds,
});

/** Calls that were made at once, after the text and reasoning up to these places. */
const ExportedRound = z.strictObject({
  text_end: Count,
  reasoning_end: Count,
  reasoning_ms: z.number().check(z.minimum(0)),
  usage: Usage,
  calls: z.array(ExportedCall),
});

const ExportedFile = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(ATTACHMENT_NAME_LENGTH)),
  type: Short,
  size: Count,
  kind: AttachmentKind,
});

const ExportedMessage = z.strictObject({
  id: Id,
  parent_id: z.nullable(Id),
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  /** The person's name. */
  author: z.nullable(z.string().check(z.maxLength(DISPLAY_NAME_LENGTH))),
  model_id: ModelName,
  requested_model_id: ModelName,
  autopilot: z._default(z.nullable(z.strictObject(Autopilot.shape)), null),
  persona: z._default(z.nullable(z.string().check(z.maxLength(CONTENT_NAME_LENGTH))), null),
  status: z.enum(["done", "stopped", "failed", "interrupted"]),
  reasoning: z.nullable(z.string()),
  reasoning_ms: Milliseconds,
  tool_rounds: z.array(ExportedRound),
  /** The files themselves are not part of it. */
  attachments: z.array(ExportedFile).check(z.maxLength(ATTACHMENTS_PER_MESSAGE)),
  /** One without an address keeps the place of what is its owner's own, e.g. a passage of their knowledge. */
  citations: z.array(z.strictObject({ url: z.union([PageUrl, z.literal("")]), title: z.nullable(Short) })),
  cost: Cost,
  usage: Usage,
  finish_reason: z.nullable(Short),
  error: z.nullable(z.strictObject(MessageError.shape)),
  created_at: Timestamp,
});
export type ExportedMessage = z.infer<typeof ExportedMessage>;

/** What a model read in place of the path up to `last_id`, made for this question. */
const ExportedCompaction = z.strictObject({
  question_id: Id,
  last_id: Id,
  status: z.enum(["done", "failed"]),
  messages: Count,
  summary: z.nullable(z.string()),
});

/** A mail of the chat, for those who may see addresses; its files and its source are not part of it. */
const ExportedMail = z.strictObject({
  direction: z.enum(["in", "out"]),
  state: MailState,
  from_addr: Short,
  from_name: Short,
  to_addr: z.array(Short),
  cc_addr: z.array(Short),
  subject: Short,
  text_body: z.string(),
  attachments: z.array(z.strictObject({ name: Short, type: Short, size: Count })),
  message_id: z.nullable(Short),
  in_reply_to: z.nullable(Short),
  created_at: Timestamp,
});
export type ExportedMail = z.infer<typeof ExportedMail>;

const NO_EXPORT = `This is not a chat that was exported from ${APP_NAME}.`;

/** A whole chat as a file: every branch, parents before children, and where it was looked at. */
export const ExportedChat = z.strictObject(
  {
    format: z.literal(EXPORT_FORMAT, NO_EXPORT),
    version: z.literal(EXPORT_VERSION, `This chat was exported by another version of ${APP_NAME}.`),
    exported_at: Timestamp,
    title: z.string().check(z.maxLength(CHAT_TITLE_LENGTH)),
    ...PortableSettings.shape,
    created_at: Timestamp,
    forked_from: z.nullable(z.strictObject(ForkOrigin.shape)),
    head_id: z.nullable(Id),
    messages: z.array(ExportedMessage),
    compactions: z._default(z.array(ExportedCompaction), []),
    /** Newest first; the import of one chat leaves them in the file, that of a whole account brings them. */
    emails: z.optional(z.array(ExportedMail)),
  },
  NO_EXPORT,
);
export type ExportedChat = z.infer<typeof ExportedChat>;
