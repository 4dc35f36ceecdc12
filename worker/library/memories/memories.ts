/** Memory as the rest of the Worker uses it: it lives in its person's hub. */
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import type { ToolAnswer } from "#worker/library/contribution.ts";
import type { MemoryAnswer, MemoryInput, MemoryHub } from "./rpc.ts";
import { embedFacts } from "./embed-facts.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import { findUser } from "#worker/people/users/users.ts";

function memoryOf(env: Env, userId: string): DurableObjectStub<MemoryHub> {
  return stubOf<MemoryHub>(env.USER_HUB, userId);
}

/** Reads or changes a person's memory. Throws `AppError`. */
export async function askMemory(env: Env, userId: string, input: MemoryInput): Promise<MemoryAnswer> {
  return unwrap<MemoryAnswer>(await memoryOf(env, userId).memory(input));
}

/** True for a personalization that was made from this person's memory and not changed since. */
export async function isMadeOfMemory(env: Env, userId: string, personalization: string): Promise<boolean> {
  const { written } = await askMemory(env, userId, { kind: "list", ids: [] });
  return written.includes(await hashOf(personalization));
}

/** What a personalization is known again by. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps what a model saves in an answer, once by its call; says no more of it than that, as others may read the chat. */
export async function saveByModel(
  env: Env,
  userId: string,
  fact: Omit<Extract<MemoryInput, { kind: "save" }>, "kind" | "embedding">,
): Promise<ToolAnswer> {
  if (!(await isMemoryOn(env, userId))) return OFF;
  const [embedding] = (await embedFacts(env, userId, [fact.text])) ?? [];
  const saved = await memoryOf(env, userId).memory({ kind: "save", ...fact, embedding });
  if (!saved.ok) return { ok: false, error: saved.message ?? "It could not be saved." };
  const { memories, versions, isNew } = saved.value;
  const replaced = versions.map(({ id }) => id);
  // What the older said besides is for the model to keep.
  const replacedNotes = versions.map(({ text }) => `It took the place of ${JSON.stringify(text)}: save again what of that still holds.`);
  const result = isNew
    ? ["Remembered. The person sees it; there is no need to say more than a word of it.", ...replacedNotes].join(" ")
    : "This was remembered before.";
  return { ok: true, output: JSON.stringify({ result, id: memories[0]?.id ?? fact.id, ...(replaced.length > 0 && { replaced }) }) };
}

/** Forgets what a model was asked to forget. */
export async function forgetByModel(env: Env, userId: string, handle: string): Promise<ToolAnswer> {
  if (!(await isMemoryOn(env, userId))) return OFF;
  const forgotten = await memoryOf(env, userId).memory({ kind: "drop", handle });
  if (!forgotten.ok) return { ok: false, error: forgotten.message ?? "It could not be forgotten." };
  return { ok: true, output: JSON.stringify({ result: "Forgotten.", id: forgotten.value.memories[0]?.id }) };
}

const OFF: ToolAnswer = { ok: false, error: "The person has turned memory off." };

/** As it stands now: a call may have waited for days. */
async function isMemoryOn(env: Env, userId: string): Promise<boolean> {
  return (await findUser(openDatabase(env.DB), userId))?.memory_enabled === true;
}
