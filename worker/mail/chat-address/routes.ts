import type { Hono } from "hono";
import {
  decideSender,
  discardMail,
  getMail,
  getRawMail,
  listMails,
  remindOfMail,
  renewMailAddress,
  sendMail,
} from "#shared/contracts/chat/mails.ts";
import { fileNames } from "#worker/library/attachments/serve-attachment.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { roomOf } from "./room.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { chatAddress, renewAddress } from "./address.ts";
import { rawMailKey, toMail, type MailReminder, type ReadRoomMail, type RoomMail } from "./room-mail.ts";

/** The mails of chats over HTTP, for those who may see addresses. */
export function mailRoutes(app: Hono<AppContext>): void {
  serve(app, listMails, async ({ c, caller, params: { id }, query: { cursor, limit } }) => {
    const before = cursor === undefined ? null : Number(cursor);
    const { mails, next } = unwrap(await roomOf(c.env, id).listMails(readerOf(caller), { before, limit }));
    return {
      address: await chatAddress(c.env, c.var.db, id),
      emails: mails.map((mail) => toMail(id, mail, { isFull: false })),
      nextCursor: next === null ? null : String(next),
    };
  });

  serve(app, renewMailAddress, async ({ c, caller, params: { id } }) => {
    unwrap(await roomOf(c.env, id).listMails(readerOf(caller), { before: null, limit: 1 }));
    return { address: await renewAddress(c.env, c.var.db, id) };
  });

  serve(app, getMail, async ({ c, caller, params: { id, mailId } }) => {
    const room = roomOf(c.env, id);
    const read: ReadRoomMail = unwrap(await room.readMail(readerOf(caller), mailId));
    const { mail, outcome, canSend, canLetIn } = read;
    const reminder = mail.direction === "out" ? unwrap<MailReminder | null>(await room.reminderOf(readerOf(caller), mailId)) : null;
    return {
      email: toMail(id, mail, { isFull: true }),
      reminder: reminder && { by: new Date(reminder.by).toISOString(), note: reminder.note },
      outcome,
      can_send: canSend,
      can_let_in: canLetIn,
    };
  });

  serve(app, getRawMail, async ({ c, caller, params: { id, mailId } }) => {
    const { mail }: ReadRoomMail = unwrap(await roomOf(c.env, id).readMail(readerOf(caller), mailId));
    const stored = mail.raw_object === null ? null : await c.env.FILES.get(rawMailKey(id, mail.raw_object));
    if (!stored) throw new AppError("NOT_FOUND");
    return new Response(stored.body, {
      headers: {
        // Whatever it holds is neither shown nor run.
        "content-type": "application/octet-stream",
        "content-length": String(stored.size),
        "content-disposition": `attachment; ${fileNames(`${mail.subject.slice(0, 80) || "mail"}.eml`)}`,
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
      },
    });
  });

  serve(app, decideSender, async ({ c, caller, params: { id, mailId }, body: { decision } }) => {
    const mail: RoomMail = unwrap(await roomOf(c.env, id).decideSender(readerOf(caller), mailId, decision));
    return { email: toMail(id, mail, { isFull: true }) };
  });

  serve(app, sendMail, async ({ c, caller, params: { id, mailId } }) => {
    const mail: RoomMail = unwrap(await roomOf(c.env, id).sendMail(readerOf(caller), mailId, true));
    return { email: toMail(id, mail, { isFull: true }) };
  });

  serve(app, discardMail, async ({ c, caller, params: { id, mailId } }) => {
    const mail: RoomMail = unwrap(await roomOf(c.env, id).sendMail(readerOf(caller), mailId, false));
    return { email: toMail(id, mail, { isFull: true }) };
  });

  serve(app, remindOfMail, async ({ c, caller, params: { id, mailId }, body: { by, note } }) => {
    const at = by === null ? null : Date.parse(by);
    unwrap(await roomOf(c.env, id).remind(readerOf(caller), { mailId, by: at, note }));
    return { by };
  });
}
