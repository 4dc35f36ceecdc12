import type { ChatFiles } from "#worker/tools/tool.ts";
import { ownerOf } from "../chat.ts";
import { addFile, findFile, markUsed } from "./attachments.ts";

/** The chat's files for its tools: what they add stays as long as the chat does. */
export function openFiles(sql: SqlStorage, changeFiles: <T>(change: () => T) => Promise<T>): ChatFiles {
  return {
    ownerId: () => ownerOf(sql),
    find: (id) => findFile(sql, id),
    add: (userId, file) => changeFiles(() => markUsed(sql, [addFile(sql, userId, file)])),
  };
}
