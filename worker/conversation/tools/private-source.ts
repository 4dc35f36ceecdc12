import * as z from "zod/mini";
import type { ApiScope } from "#shared/entities/library/api-key.ts";

/**
 * What a person has besides what a chat shows its readers: memory with the personalisation that is made of it, artifacts, knowledge,
 * what they connected or keep for all chats (Gmail, Drive, servers, the code agent, schedules), and a chat's mails with their addresses.
 */
export const PrivateSource = z.enum(["memory", "artifacts", "knowledge", "accounts", "mail"]);
export type PrivateSource = z.infer<typeof PrivateSource>;

/** What a turn may use that its payer began. */
export const ALL_SOURCES: readonly PrivateSource[] = PrivateSource.options;

/** True for whoever may use all that is their own. */
export function includesAllSources(sources: readonly PrivateSource[]): boolean {
  return ALL_SOURCES.every((source) => sources.includes(source));
}

/** What a turn may use that somebody else began, whatever is set: what the chat shows is all that it reads. */
export const NO_SOURCES: readonly PrivateSource[] = [];

/** What each scope of a key lets its turns use; of accounts and mails no scope says anything. */
const OF_SCOPE: Partial<Record<ApiScope, PrivateSource>> = { memory: "memory", artifacts: "artifacts", chats: "knowledge" };

/** What of their own somebody may use as they came: all in a browser, what its scopes name by a key. */
export function sourcesOfCaller({ key }: { key?: { scopes: readonly ApiScope[] } }): readonly PrivateSource[] {
  return key ? key.scopes.flatMap((scope) => OF_SCOPE[scope] ?? []) : ALL_SOURCES;
}
