import { APP_NAME } from "#shared/app.ts";
import type { ExportedChat, ExportedMail, ExportedMessage } from "#shared/sharing/exported-chat.ts";

/** The shown path of a chat as markdown: its title, then each message under who said it, with its files and sources. */
export function toMarkdown(chat: ExportedChat): string {
  const title = oneLine(chat.title) || "New Chat";
  const parts = [`# ${title}`, `_Exported from ${APP_NAME} on ${chat.exported_at.slice(0, 10)}_`];
  for (const message of pathOf(chat)) parts.push(`## ${speakerOf(message)}`, ...bodyOf(message));
  if (chat.emails && chat.emails.length > 0) parts.push("## Emails", ...chat.emails.map(mailOf));
  return `${parts.join("\n\n")}\n`;
}

function pathOf({ messages, head_id: headId }: ExportedChat): ExportedMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const path: ExportedMessage[] = [];
  for (let next = byId.get(headId ?? ""); next; next = byId.get(next.parent_id ?? "")) path.unshift(next);
  return path;
}

function speakerOf({ role, author, model_id: modelId }: ExportedMessage): string {
  return oneLine((role === "user" ? author : modelId) ?? "") || (role === "user" ? "You" : "Answer");
}

function bodyOf({ content, attachments, citations, status, error }: ExportedMessage): string[] {
  const body = content.trim() === "" ? [] : [content.trim()];
  if (attachments.length > 0) body.push(attachments.map(({ name }) => `- Attached: ${escape(name)}`).join("\n"));
  if (error) body.push(`_${escape(error.message)}_`);
  else if (status !== "done") body.push(`_This answer was ${status}._`);
  if (citations.length > 0) body.push(`**Sources**\n\n${citations.map(toSource).filter(Boolean).join("\n")}`);
  return body;
}

function toSource({ url, title }: ExportedMessage["citations"][number], index: number): string {
  if (url === "") return "";
  return `${index + 1}. [${escape(title ?? url)}](<${url.replaceAll(/[<>\s]/g, encodeURIComponent)}>)`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function mailOf({ direction, state, from_addr: from, from_name: name, to_addr: to, cc_addr: cc, ...mail }: ExportedMail): string {
  const isNotable = state !== "received" && state !== "sent";
  const facts = [
    `- ${direction === "in" ? "In" : "Out"}, ${mail.created_at.slice(0, 16).replace("T", " ")} UTC${isNotable ? `, ${state}` : ""}`,
    `- From: ${escape(name === "" ? from : `${name} (${from})`)}`,
    `- To: ${escape(to.join(", "))}`,
    ...(cc.length > 0 ? [`- Cc: ${escape(cc.join(", "))}`] : []),
    ...mail.attachments.map((file) => `- Attached: ${escape(file.name)}`),
  ];
  return [
    `### ${escape(mail.subject) || "No subject"}`,
    facts.join("\n"),
    ...(mail.text_body === "" ? [] : [mail.text_body.replaceAll(/^/gm, "> ")]),
  ].join("\n\n");
}

/** Plain text that no markdown reader takes for more. */
function escape(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_[\]<>]/g, "\\$&");
}
