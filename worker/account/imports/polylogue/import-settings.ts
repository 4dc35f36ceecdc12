import * as z from "zod/mini";
import { Preferences } from "#shared/contracts/account/preferences.ts";
import { UserPatch } from "#shared/contracts/account/users.ts";
import { ScheduleBody } from "#shared/entities/schedules/schedule.ts";
import { AllowedModel } from "#shared/entities/model.ts";
import { CallRules } from "#shared/entities/outbound/call-settings.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { ALLOWLIST_LENGTH, PROFILE_PICTURE_BYTES } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import { toCaller } from "#worker/people/sessions/sessions.ts";
import { modelSettings, saveAllowlist } from "#worker/people/models/allowlist.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { NoticeKind } from "#worker/mail/notifications/notice.ts";
import { makeDefault, findPersona } from "#worker/library/personas/personas.ts";
import { selectCallSettings, setCallRules } from "#worker/integrations/phone/call-settings.ts";
import { changeKinds } from "#worker/mail/push/push-settings.ts";
import { addSchedule, readSchedules } from "#worker/conversation/schedules/schedules.ts";
import { changeToolSettings, selectToolSettings } from "#worker/people/tool-settings/tool-settings.ts";
import { noteSettingsChange } from "#worker/people/hub/stub.ts";
import { changePicture } from "#worker/people/profile/pictures.ts";
import { changeUser, getUserRow } from "#worker/people/users/users.ts";
import { importFacts } from "../import-facts.ts";
import { claimItem, completeItem } from "../claim-item.ts";
import { addCounts, type ImportResult, counted, type Importing } from "../source.ts";
import { replacePreferences, USER_DEFAULTS } from "./queries.ts";
import { readJson } from "./read-json.ts";
import type { IdMapping } from "./id-mapping.ts";

const NOTHING: ImportResult = { counts: {}, notes: [] };

/** Imports what the person set up, once for each account that it is of: later imports do not undo what was changed since. */
export async function importSettings(importing: Importing, place: number, ids: IdMapping): Promise<ImportResult> {
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
  const parts = [
    await importUserSettings(importing, settings, ids),
    await importToolSettings(importing),
    await importModelAllowlist(importing, settings["model_allowlist"]),
    await importPushSettings(importing, settings["push_muted"]),
    await importCallRules(importing),
    await importProfilePicture(importing),
    await noteUntaken(importing),
  ];
  await completeItem(importing, claimed.row);
  await noteSettingsChange(importing.env, importing.user.userId);
  return together(parts);
}

async function importUserSettings(
  { db, user: { userId } }: Importing,
  given: Record<string, unknown>,
  ids: IdMapping,
): Promise<ImportResult> {
  const persona = given["triggered_system_prompt_id"];
  const contexts = z.array(z.string()).safeParse(given["triggered_context_ids"]).data;
  const wanted: Record<string, unknown> = {
    ...given,
    ...(typeof persona === "string" && persona !== "" && { triggered_system_prompt_id: await ids.idOf("persona", persona) }),
    ...(contexts && { triggered_context_ids: await Promise.all(contexts.map((id) => ids.idOf("knowledge", id))) }),
  };
  const row = await getUserRow(db, userId);
  const here: Record<string, unknown> = { ...row, triggered_daily_budget: fromMicros(row.triggered_daily_budget_micros) };
  const patch: Record<string, unknown> = {};
  const notes: ImportNote[] = [];
  for (const field of Object.keys(UserPatch.shape).filter((name) => !OF_THE_ACCOUNT.has(name))) {
    const value = wanted[field];
    if (value === undefined || value === null || isSame(value, here[field])) continue;
    const { success } = UserPatch.safeParse({ [field]: value });
    const reason = success ? reasonNotImported(field, value, here[field]) : "It cannot be set to this here.";
    if (reason === null) patch[field] = value;
    else notes.push({ kind: "setting", title: field.replaceAll("_", " "), reason });
  }
  await changeUser(db, userId, UserPatch.parse(patch));
  const preferences = Preferences.safeParse(given["preferences"]).data;
  if (preferences && row.preferences === null) await replacePreferences(db, userId, preferences);
  const defaultId = given["default_persona_id"];
  if (typeof defaultId === "string" && (row.default_persona_id === null || row.default_persona_id === userId)) await takeDefault();
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

/** What is this account's own whatever its settings are. */
const OF_THE_ACCOUNT = new Set(["display_name", "browser_time_zone"]);

/** Why a setting stays as it is here; null where it is still what everybody begins with, and may be taken over. */
function reasonNotImported(field: string, value: unknown, here: unknown): string | null {
  if (field === "triggered_daily_budget") {
    if (!isSame(here, fromMicros(Number(USER_DEFAULTS["triggered_daily_budget_micros"])))) return SET_HERE;
    return Number(value) > Number(here) ? "A file raises no budget: set it where you want that." : null;
  }
  return isSame(here ?? null, USER_DEFAULTS[field] ?? null) ? null : SET_HERE;
}

const SET_HERE = "You have set it otherwise here, which stays.";

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const Tool = z.object({
  tool_id: z.string().check(z.maxLength(64)),
  enabled: z.boolean(),
  is_always_on_override: z.boolean(),
  always_allowed: z.boolean(),
});

/** That a tool acts without asking is never taken from a file. */
async function importToolSettings({ archive, db, user: { userId } }: Importing): Promise<ImportResult> {
  const tools = (await readJson(archive, "profile/tools.json", z.array(Tool).check(z.maxLength(500)))) ?? [];
  const set = await selectToolSettings(db, userId);
  const fresh = tools.filter(({ tool_id: id }) => !Object.hasOwn(set, id));
  const patches = Object.fromEntries(
    fresh.map(({ tool_id: id, enabled, is_always_on_override }) => [id, { enabled, is_always_on_override }]),
  );
  if (fresh.length > 0) await changeToolSettings(db, userId, patches);
  const notes: ImportNote[] = fresh
    .filter(({ always_allowed: isAllowed }) => isAllowed)
    .map(({ tool_id: id }) => ({ kind: "setting", title: id, reason: "It asks again before it acts: allow it anew where you want that." }));
  return { counts: addCounts(counted("setting", "came", fresh.length), counted("setting", "here", tools.length - fresh.length)), notes };
}

const Models = z.array(AllowedModel).check(z.maxLength(ALLOWLIST_LENGTH));

/** Imports which models are offered. */
async function importModelAllowlist({ env, db, user: { userId } }: Importing, given: unknown): Promise<ImportResult> {
  const isSet = (await modelSettings(db, userId)).allowlist !== null;
  if (given === undefined || given === null || isSet) return NOTHING;
  const { data: models } = Models.safeParse(given);
  if (!models) return lost("Models", "It cannot be set to this here.");
  await saveAllowlist(env, db, userId, models);
  return { counts: counted("setting", "came"), notes: [] };
}

/** Imports about what no push comes. */
async function importPushSettings({ db, user: { userId } }: Importing, given: unknown): Promise<ImportResult> {
  const { data: muted } = z.array(z.string()).safeParse(given);
  const kinds = NoticeKind.options.filter((kind) => muted?.includes(kind));
  const isSet = (await getUserRow(db, userId)).push_muted !== null;
  if (kinds.length === 0 || isSet) return NOTHING;
  await changeKinds(db, userId, Object.fromEntries(kinds.map((kind) => [kind, false])));
  return { counts: counted("setting", "came"), notes: [] };
}

/** Imports when chats may call somebody. */
async function importCallRules({ archive, env, db, user: { userId } }: Importing): Promise<ImportResult> {
  const calls = await readJson(archive, "profile/calls.json", z.nullable(CallRules));
  if (!calls || (await selectCallSettings(db, userId))) return NOTHING;
  await setCallRules(env, userId, calls);
  return { counts: counted("setting", "came"), notes: [] };
}

async function importProfilePicture({ archive, env, db, user: { userId } }: Importing): Promise<ImportResult> {
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
async function noteUntaken({ archive }: Importing): Promise<ImportResult> {
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

/** Imports facts that are not there yet. */
export async function importExportedMemories(importing: Importing): Promise<ImportResult> {
  const facts = (await readJson(importing.archive, "memory/memories.json", z.array(Fact))) ?? [];
  const texts = facts.map(({ text }) => text);
  return {
    ...(await importFacts(importing, texts)),
    notes: facts.some(({ history }) => history.length > 0)
      ? [{ kind: "memory", title: "What they said before", reason: "It stays in the file, in memory/memories.json." }]
      : [],
  };
}

const Fact = z.object({ text: z.string(), history: z._default(z.array(z.unknown()), []) });

const ExportedSchedule = z.extend(ScheduleBody, { id: z.string() });

/** Imports schedules, paused, so nothing runs in two accounts. */
export async function importSchedules(importing: Importing, ids: IdMapping): Promise<ImportResult> {
  const { archive, env, db, user } = importing;
  const listed = (await readJson(archive, "schedules/schedules.json", z.array(z.unknown()).check(z.maxLength(1_000)))) ?? [];
  const own = new Set((await readSchedules(env, user.userId)).map(({ id }) => id));
  const asker = { env, db, caller: toCaller(`import:${importing.importId}`, await getUserRow(db, user.userId)) };
  const parts: ImportResult[] = [];
  for (const one of listed) {
    const { data: schedule } = ExportedSchedule.safeParse(one);
    if (!schedule) {
      parts.push(lost("A schedule", "It is damaged."));
      continue;
    }
    const { id: originalId, prompt_id: promptId, persona_id: personaId, ...body } = schedule;
    const id = await uuidOfName(JSON.stringify(["import", user.userId, ids.accountId, "schedule", originalId]));
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
      await addSchedule(asker, { ...renewed, chat: "new" }, { isPaused: true });
      parts.push({ counts: counted("setting", "came"), notes: [] });
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code === "INTERNAL") throw cause;
      parts.push(lost(body.title || "A schedule", cause.message));
    }
  }
  return together(parts);
}

function lost(title: string, reason: string): ImportResult {
  return { counts: counted("setting", "failed"), notes: [{ kind: "setting", title, reason }] };
}

function together(parts: readonly ImportResult[]): ImportResult {
  return parts.reduce((sum, { counts, notes }) => ({ counts: addCounts(sum.counts, counts), notes: [...sum.notes, ...notes] }), NOTHING);
}
