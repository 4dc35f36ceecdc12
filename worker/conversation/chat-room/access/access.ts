import type { PermissionLevel } from "#shared/entities/chat.ts";
import { type Action, can } from "#shared/permissions.ts";
import { chatAccessOf } from "./members.ts";
import type { ChatPatch } from "#worker/conversation/room/rpc.ts";

/** The error for a stranger, and for what isn't there. */
export const NOT_FOUND = { ok: false, code: "NOT_FOUND" } as const;

/** What a person may do in this chat, or null for a stranger, who gets the same answer as for a chat that doesn't exist. */
export function levelOf(sql: SqlStorage, userId: string): PermissionLevel | null {
  return chatAccessOf(sql, userId)?.permissionLevel ?? null;
}

/** Why someone of this level may not do this, or null where they may: who may not even read learns nothing of the chat. */
export function refuse(level: PermissionLevel | null, action: Action): { ok: false; code: "NOT_FOUND" | "FORBIDDEN" } | null {
  const role = level ?? "stranger";
  if (can(role, action)) return null;
  return { ok: false, code: can(role, "read") ? "FORBIDDEN" : "NOT_FOUND" };
}

/** What changes of a chat take, each field by itself. */
export function actionsOfPatch({ title, public: isPublic, ...settings }: ChatPatch): Action[] {
  const hasSettings = Object.values(settings).some((value) => value !== undefined);
  const actions: (Action | false)[] = [title !== undefined && "rename", isPublic !== undefined && "publish", hasSettings && "settings"];
  return actions.filter((action) => action !== false);
}
