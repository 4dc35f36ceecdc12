import type { ApiScope } from "#shared/entities/library/api-key.ts";

/** What a key may do, in people's words and their order. */
export const SCOPES: readonly { scope: ApiScope; label: string; short: string }[] = [
  { scope: "chats", label: "Search and read chats", short: "chats" },
  { scope: "ask", label: "Ask, which costs credits", short: "asking" },
  { scope: "artifacts", label: "List and read artifacts", short: "artifacts" },
  { scope: "prompts", label: "List and read prompts", short: "prompts" },
  { scope: "memory", label: "Save facts to memory", short: "memory" },
  { scope: "models", label: "Ask models as OpenAI's API does, which costs credits", short: "models" },
];

/** What a key may do, in one line. */
export function scopesLine(scopes: readonly ApiScope[]): string {
  if (scopes.length === SCOPES.length) return "Everything";
  const names = SCOPES.filter(({ scope }) => scopes.includes(scope)).map(({ short }) => short);
  const line = names.join(", ");
  return line.charAt(0).toUpperCase() + line.slice(1);
}
