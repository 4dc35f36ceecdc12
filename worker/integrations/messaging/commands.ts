/** What is done with a conversation itself: another chat begun, one of the earlier chosen, help. */
import { APP_NAME } from "#shared/app.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { Row } from "#worker/platform/clients/whatsapp/send.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import * as z from "zod/mini";

export type Command = "new" | "chats" | "help";

const COMMANDS: Record<string, Command> = {
  new: "new",
  "new chat": "new",
  chats: "chats",
  chat: "chats",
  list: "chats",
  help: "help",
  "?": "help",
};

/** The command that a whole message is; null for any other. */
export function commandOf(text: string): Command | null {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/^\//, "")
    .replace(/(?<![.!])[.!]+$/, "");
  return Object.hasOwn(COMMANDS, word) ? (COMMANDS[word] ?? null) : null;
}

/** A list shows ten at most, of each title 24 characters. */
const ROWS = 10;
const TITLE_LENGTH = 24;
const DESCRIPTION_LENGTH = 72;

const Listed = z.object({ chats: z.array(z.custom<Chat>()) });

/** Of so many the ten latest that somebody may write in. */
const LISTED_CHATS = 30;

/** The latest chats that a person may write in as rows of a list; none where there are none. */
export async function latestChats(env: Env, userId: string): Promise<Row[]> {
  const bytes = await hubOf(env, userId).list({ view: "all", limit: LISTED_CHATS });
  const { chats } = Listed.parse(JSON.parse(new TextDecoder().decode(bytes)));
  const open = chats.filter(({ permissionLevel }) => permissionLevel !== "viewer").slice(0, ROWS);
  return open.map(({ id, title, lastMessagePreview: preview }) => {
    const description = short(preview ?? "", DESCRIPTION_LENGTH);
    return { id: `chat/${id}`, title: short(title, TITLE_LENGTH) || "New Chat", ...(description !== "" && { description }) };
  });
}

/** The chat that a row of such a list is; null for another row. */
export function chatOfListRow(rowId: string): string | null {
  return /^chat\/([0-9a-f-]{36})$/.exec(rowId)?.[1] ?? null;
}

export function helpText(env: Env): string {
  const { origin } = configOf(env);
  return [
    `Write to ${APP_NAME} as you would in the browser: text, voice notes, pictures and documents. Each answer goes on in the same chat.`,
    "*new* begins another chat.\n*chats* lists the latest, to go on with one. Answering one of my messages goes on in its chat.",
    ...(origin === undefined ? [] : [`All chats are at ${origin}`]),
  ].join("\n\n");
}

function short(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= length
    ? line
    : `${line
        .slice(0, length - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
