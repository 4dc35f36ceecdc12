import type { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { AppError } from "../app-error.ts";

/** Refuses an exported chat whose messages make no tree that a chat could have: what its schema cannot say. Throws INVALID_INPUT. */
export function checkExport({ messages, head_id: headId, compactions }: ExportedChat): void {
  const roles = new Map<string, string>();
  for (const { id, parent_id: parentId, role, tool_rounds: rounds, attachments } of messages) {
    if (roles.has(id)) throw damaged("Two of its messages have the same id.");
    const above = parentId === null ? null : roles.get(parentId);
    if (above === undefined) throw damaged("A message answers one that is not there.");
    // A question may follow one that was never answered.
    if (role === "assistant" && above !== "user") throw damaged("Its messages don't take turns.");
    if (role === "user" ? rounds.length > 0 : attachments.length > 0) throw damaged("A message holds what it cannot hold.");
    roles.set(id, role);
  }
  const isKnown = (id: string): boolean => roles.has(id);
  if (headId === null ? messages.length > 0 : !isKnown(headId)) throw damaged("The end of its path is not there.");
  if (!compactions.every((made) => roles.get(made.question_id) === "user" && isKnown(made.last_id)))
    throw damaged("A summary stands for messages that are not there.");
}

function damaged(how: string): AppError {
  return new AppError("INVALID_INPUT", { message: `This file was changed or is damaged. ${how}` });
}
