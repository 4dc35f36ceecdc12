import * as z from "zod/mini";
import { Preferences } from "#shared/contracts/account/preferences.ts";
import { UserPatch } from "#shared/contracts/account/users.ts";
import { ScheduleBody } from "#shared/entities/schedules/schedule.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { MEMORY_IMPORT_ENTRIES, MEMORY_LENGTH, PROFILE_PICTURE_BYTES } from "#shared/limits.ts";
import { AppError } from "../../app-error.ts";
import { toCaller } from "../../auth/sessions.ts";
import { enqueue } from "../../jobs/job.ts";
import { importMemoriesJob } from "../../memories/import-memories.ts";
import { askMemory } from "../../memories/memories.ts";
import { namedId } from "../../named-id.ts";
import { makeDefault, findPersona } from "../../personas/personas.ts";
import { addSchedule, changeSchedule, readSchedules } from "../../schedules/schedules.ts";
import { changeToolSettings } from "../../tool-settings/tool-settings.ts";
import { changePicture } from "../../users/pictures.ts";
import { changeUser, getUserRow } from "../../users/users.ts";
import { claimItem, settleItem } from "../claim-item.ts";
import { addCounts, type Brought, counted, type Importing } from "../source.ts";
import { keepPreferences } from "./queries.ts";
import { readJson } from "./read-json.ts";
import type { Renewal } from "./renewed-ids.ts";

const NOTHING: Brought = { counts: {}, notes: [] };

/** Brings what the person set up, once for each account that it is of: later imports do not undo what was changed since. */
export async function bringSettings(importing: Importing, place: number, ids: Renewal): Promise<Brought> {
  const { archive } = importing;
  if (ids.isSame) return { counts: counted("setting", "here"), notes: [] };
  const claimed = await claimItem(importing, place, {
    kind: "setting",
    key: ids.accountId,
    version: 1,
    isStill: () => Promise.resolve(true),
  });
  if (claimed.state === "here") return { counts: counted("setting", "here"), notes: [] };
  const settings = (await readJson(archive, "profile/settings.json", z.record(z.string(), z.unknown()))) ?? {};
  const profile = (await readJson(archive, "profile/profile.json", z.object({ display_name: z.string() }))) ?? null;
  const parts = [
    await bringUser(importing, { ...settings, ...profile }, ids),
    await bringTools(importing),
    await bringPicture(importing),
    await noteUntaken(importing),
  ];
  await settleItem(importing, claimed.row);
  return together(parts);
}

async function bringUser({ db, user: { userId } }: Importing, given: Record<string, unknown>, ids: Renewal): Promise<Brought> {
  const persona = given["triggered_system_prompt_id"];
  const contexts = z.array(z.string()).safeParse(given["triggered_context_ids"]).data;
  const wanted: Record<string, unknown> = {
    ...given,
    ...(typeof persona === "string" && persona !== "" && { triggered_system_prompt_id: await ids.idOf("persona", persona) }),
    ...(contexts && { triggered_context_ids: await Promise.all(contexts.map((id) => ids.idOf("knowledge", id))) }),
  };
  const patch: Record<string, unknown> = {};
  const notes: ImportNote[] = [];
  for (const field of Object.keys(UserPatch.shape)) {
    const value = wanted[field];
    if (value === undefined || value === null) continue;
    const { success } = UserPatch.safeParse({ [field]: value });
    if (success) patch[field] = value;
    else notes.push({ kind: "setting", title: field.replaceAll("_", " "), reason: "It cannot be set to this here." });
  }
  await changeUser(db, userId, UserPatch.parse(patch));
  const preferences = Preferences.safeParse(given["preferences"]).data;
  if (preferences) await keepPreferences(db, userId, preferences);
  const defaultId = given["default_persona_id"];
  if (typeof defaultId === "string") await takeDefault();
  return { counts: addCounts(counted("setting", "came", Object.keys(patch).length), counted("setting", "failed", notes.length)), notes };

  async function takeDefault(): Promise<void> {
    const id = await ids.idOf("persona", String(defaultId));
    // The personalized persona of another account does not come, and this one's stays the default.
    if (await isThere(id)) await makeDefault(db, userId, id);
  }

  async function isThere(id: string): Promise<boolean> {
    try {
      return Boolean(await findPersona(db, userId, id));
    } catch (cause) {
      if (cause instanceof AppError && cause.code === "NOT_FOUND") return false;
      throw cause;
    }
  }
}

const Tool = z.object({
  tool_id: z.string().check(z.maxLength(64)),
  enabled: z.boolean(),
  is_always_on_override: z.boolean(),
  always_allowed: z.boolean(),
});

/** That a tool acts without asking is never taken from a file. */
async function bringTools({ archive, db, user: { userId } }: Importing): Promise<Brought> {
  const tools = (await readJson(archive, "profile/tools.json", z.array(Tool).check(z.maxLength(500)))) ?? [];
  const patches = Object.fromEntries(
    tools.map(({ tool_id: id, enabled, is_always_on_override }) => [id, { enabled, is_always_on_override }]),
  );
  if (tools.length > 0) await changeToolSettings(db, userId, patches);
  const notes: ImportNote[] = tools
    .filter(({ always_allowed: isAllowed }) => isAllowed)
    .map(({ tool_id: id }) => ({ kind: "setting", title: id, reason: "It asks again before it acts: allow it anew where you want that." }));
  return { counts: counted("setting", "came", tools.length), notes };
}

async function bringPicture({ archive, env, db, user: { userId } }: Importing): Promise<Brought> {
  const name = [...archive.entries.keys()].find((entry) => /^profile\/picture\.\w+$/.test(entry));
  const bytes = name === undefined ? null : await archive.read(name, PROFILE_PICTURE_BYTES + 1);
  if (!bytes || (await getUserRow(db, userId)).profile_image !== null) return NOTHING;
  try {
    await changePicture(env, db, userId, new Request("https://profile/picture", { method: "PUT", body: bytes }));
    return { counts: counted("setting", "came"), notes: [] };
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return { counts: counted("setting", "failed"), notes: [{ kind: "setting", title: "Profile picture", reason: cause.message }] };
  }
}

/** What only its person can set up again. */
async function noteUntaken({ archive }: Importing): Promise<Brought> {
  const connections = (await readJson(archive, "profile/mcp-connections.json", z.array(z.object({ name: z.string() })))) ?? [];
  const addresses = (await readJson(archive, "profile/addresses.json", z.array(z.object({ email: z.string() })))) ?? [];
  const teams = (await readJson(archive, "profile/teams.json", z.array(z.object({ name: z.string() })))) ?? [];
  const notes: ImportNote[] = [
    ...connections.map(({ name }) => ({
      kind: "setting" as const,
      title: name,
      reason: "Connect it again: its keys are no part of an export.",
    })),
    ...addresses.map(({ email }) => ({ kind: "setting" as const, title: email, reason: "Add it again: an address is proven by a code." })),
    ...teams.map(({ name }) => ({
      kind: "setting" as const,
      title: name,
      reason: "Have yourself invited: a team is not one person's own.",
    })),
  ];
  return { counts: counted("setting", "failed", notes.length), notes };
}

/** Brings facts that are not there yet; what they are compared by is worked out in the background. */
export async function bringMemories({ archive, env, user: { userId }, importId }: Importing): Promise<Brought> {
  const facts = (await readJson(archive, "memory/memories.json", z.array(z.object({ text: z.string() })))) ?? [];
  const known = new Set((await askMemory(env, userId, { kind: "list" })).memories.map(({ text }) => text));
  const entries = facts
    .flatMap(({ text }) => (known.has(text) || text.length > MEMORY_LENGTH ? [] : [text]))
    .slice(0, MEMORY_IMPORT_ENTRIES);
  if (entries.length > 0) {
    const id = await namedId(JSON.stringify(["memories", importId]));
    await askMemory(env, userId, { kind: "import", id, entries: entries.toReversed() });
    await enqueue(env, importMemoriesJob, { userId, importId: id });
  }
  return {
    counts: addCounts(counted("memory", "came", entries.length), counted("memory", "here", facts.length - entries.length)),
    notes: [],
  };
}

const ExportedSchedule = z.extend(ScheduleBody, { id: z.string() });

/** Brings schedules, paused, so that nothing runs in two accounts. */
export async function bringSchedules(importing: Importing, ids: Renewal): Promise<Brought> {
  const { archive, env, db, user } = importing;
  const listed = (await readJson(archive, "schedules/schedules.json", z.array(z.unknown()).check(z.maxLength(1_000)))) ?? [];
  const own = new Set((await readSchedules(env, user.userId)).map(({ id }) => id));
  const asker = { env, db, caller: toCaller(`import:${importing.importId}`, await getUserRow(db, user.userId)) };
  const parts: Brought[] = [];
  for (const one of listed) {
    const { data: schedule } = ExportedSchedule.safeParse(one);
    if (!schedule) {
      parts.push(lost("A schedule", "It is damaged."));
      continue;
    }
    const { id: originalId, prompt_id: promptId, persona_id: personaId, ...body } = schedule;
    const id = await namedId(JSON.stringify(["import", user.userId, ids.accountId, "schedule", originalId]));
    if (own.has(id) || (ids.isSame && own.has(originalId))) {
      parts.push({ counts: counted("setting", "here"), notes: [] });
      continue;
    }
    try {
      const renewed = {
        ...body,
        id,
        prompt_id: promptId && (await ids.idOf("prompt", promptId)),
        persona_id: personaId && (await ids.idOf("persona", personaId)),
      };
      await addSchedule(asker, { ...renewed, chat: "new" });
      await changeSchedule(asker, id, { paused: true });
      parts.push({ counts: counted("setting", "came"), notes: [] });
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code === "INTERNAL") throw cause;
      parts.push(lost(body.title || "A schedule", cause.message));
    }
  }
  return together(parts);
}

function lost(title: string, reason: string): Brought {
  return { counts: counted("setting", "failed"), notes: [{ kind: "setting", title, reason }] };
}

function together(parts: readonly Brought[]): Brought {
  return parts.reduce((sum, { counts, notes }) => ({ counts: addCounts(sum.counts, counts), notes: [...sum.notes, ...notes] }), NOTHING);
}
