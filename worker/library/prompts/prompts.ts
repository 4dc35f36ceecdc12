import type { createPrompt, updatePrompt } from "#shared/contracts/library/prompts.ts";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import type { Prompt, PromptSummary } from "#shared/entities/prompt.ts";
import { CONTENT_PREVIEW_LENGTH, PROMPTS_BYTES, PROMPTS_MAX, TEAM_PROMPTS_MAX } from "#shared/limits.ts";
import { type ContentRights, contentRights, membershipOf, type TeamMembership, whoMayChange } from "#shared/sharing/shared-content.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { requireMove, requireTeam } from "#worker/people/teams/teams.ts";
import { derivedFields } from "./derived-fields.ts";
import {
  type AccessiblePromptRow,
  countTeamPrompts,
  deletePromptRow,
  insertPrompt,
  insertUse,
  isChangedByOthers,
  type PromptRow,
  renumberPrompts,
  selectFirstAndLastPosition,
  selectNextPosition,
  selectPosition,
  selectPrompt,
  selectPrompts,
  selectOwnPromptUsage,
  updatePromptRow,
} from "./queries.ts";

export { hasRoom, selectPromptText } from "./queries.ts";

/** The error for a user whose prompts are too long together. */
export const TOO_MANY_BYTES = "Your prompts take 20 MB. Shorten or delete some first.";

const now = () => new Date().toISOString();

/** The place of the user's last prompt, 0 without any. */
export async function lastPosition(db: Database, userId: string): Promise<number> {
  return (await selectFirstAndLastPosition(db, userId)).last ?? 0;
}

/** What a user may use: their own prompts in their order, then those of their teams by name. */
export async function readPrompts(db: Database, userId: string): Promise<PromptSummary[]> {
  const prompts = (await selectPrompts(db, userId)).map(toSummary);
  const isOwn = (prompt: PromptSummary) => Number(prompt.user_id === userId);
  return prompts.toSorted(
    (a, b) =>
      isOwn(b) - isOwn(a) ||
      (isOwn(a) === 1 ? a.position - b.position : a.name.localeCompare(b.name, "en", { sensitivity: "base" })) ||
      (a.id < b.id ? -1 : 1),
  );
}

/** Makes a prompt of the user's own. Throws TEAM_NOT_FOUND, TEAM_ADMINS_ONLY, CONFLICT for an id that is taken, INVALID_INPUT at the limit. */
export async function addPrompt(
  db: Database,
  userId: string,
  { id = crypto.randomUUID(), name, content, team_id: teamId = null, after = null, ...settings }: BodyOf<typeof createPrompt>,
): Promise<Prompt> {
  if (teamId !== null) await requireTeam(db, teamId, userId);
  const at = now();
  const facts = derivedFields(content);
  const made = await insertPrompt(db, {
    id,
    user_id: userId,
    team_id: teamId,
    name,
    content,
    ...facts,
    tool_categories: null,
    persona_id: null,
    model_id: null,
    context_ids: null,
    ...withoutEmpty(settings),
    position: await placeAfter(db, userId, { after, moving: null }),
    is_changed_by_others: false,
    created_at: at,
    updated_at: at,
  });
  if (!made) {
    await refuseFull(db, userId, { adds: 1, bytes: facts.length });
    await refuseFullTeam(db, teamId);
    throw new AppError("CONFLICT", { message: "A prompt of this id exists already." });
  }
  return findPrompt(db, userId, id);
}

/** Throws INVALID_INPUT, with the words for it, where so many bytes more do not fit a user's own. */
async function refuseFull(db: Database, userId: string, { adds, bytes }: { adds: number; bytes: number }): Promise<void> {
  const usage = await selectOwnPromptUsage(db, userId);
  if (usage.count + adds > PROMPTS_MAX) throw new AppError("INVALID_INPUT", { message: "You have 2,000 prompts already." });
  if (usage.bytes + bytes > PROMPTS_BYTES) throw new AppError("INVALID_INPUT", { message: TOO_MANY_BYTES });
}

/** A prompt that the user may use, with its content. Throws NOT_FOUND. */
export async function findPrompt(db: Database, userId: string, id: string): Promise<Prompt> {
  const { found } = await requirePrompt(db, userId, id);
  return { ...toSummary(found), content: found.text };
}

/** What a prompt says that the user may use, and whether these are their own words: nobody else wrote them or changed them. Throws NOT_FOUND. */
export async function readPromptText(db: Database, userId: string, id: string): Promise<{ text: string; isOwn: boolean }> {
  const [{ found }, isChanged] = await Promise.all([requirePrompt(db, userId, id), isChangedByOthers(db, id)]);
  return { text: found.text, isOwn: found.prompt.user_id === userId && !isChanged };
}

/** Changes a prompt, its place, or whose it is. Throws NOT_FOUND, FORBIDDEN, TEAM_NOT_FOUND, TEAM_ADMINS_ONLY, INVALID_INPUT. */
export async function changePrompt(
  db: Database,
  userId: string,
  id: string,
  { name, content, team_id: teamId, after, ...settings }: BodyOf<typeof updatePrompt>,
): Promise<Prompt> {
  const { found, rights, team } = await requirePrompt(db, userId, id);
  const ownerId = found.prompt.user_id;
  if (!rights.edit) throw new AppError("FORBIDDEN", { message: `${whoMayChange(team)} can edit this prompt.` });
  if (after !== undefined && ownerId !== userId) throw new AppError("FORBIDDEN", { message: "Only its creator can move this prompt." });
  const isMoved = teamId !== undefined && teamId !== found.prompt.team_id;
  if (isMoved) await requireMove(db, { ownerId, userId, teamId });
  const wanted = {
    ...(name !== undefined && { name }),
    ...(content !== undefined && { content }),
    ...withoutEmpty(settings),
  };
  const textChanges = changesOf(wanted, { ...found.prompt, content: found.text });
  const change = {
    ...textChanges,
    ...(textChanges.content !== undefined && { ...derivedFields(textChanges.content), is_changed_by_others: ownerId !== userId }),
    ...(isMoved && { team_id: teamId }),
    ...(after !== undefined && { position: await placeAfter(db, userId, { after, moving: id }) }),
    // Its place is no change of what it says.
    ...(Object.keys(textChanges).length > 0 && { updated_at: now() }),
  };
  if (Object.keys(change).length > 0 && !(await updatePromptRow(db, found.prompt, change))) {
    await refuseFullTeam(db, change.team_id ?? null);
    if (change.length !== undefined) {
      const before = derivedFields(found.text).length;
      await refuseFull(db, ownerId, { adds: 0, bytes: change.length - before });
    }
    throw new AppError("NOT_FOUND");
  }
  // An admin who took it out of the team reaches it no more.
  const changed = await findPrompt(db, ownerId, id);
  return { ...changed, uses: found.uses ?? 0, last_used_at: found.last_used_at };
}

async function refuseFullTeam(db: Database, teamId: string | null): Promise<void> {
  if (teamId === null || (await countTeamPrompts(db, teamId)) < TEAM_PROMPTS_MAX) return;
  throw new AppError("INVALID_INPUT", { message: "This team has 500 prompts already." });
}

/** Deletes a prompt. Throws NOT_FOUND, FORBIDDEN. */
export async function removePrompt(db: Database, userId: string, id: string): Promise<void> {
  const { rights } = await requirePrompt(db, userId, id);
  if (!rights.delete) throw new AppError("FORBIDDEN", { message: "Only its creator or an admin of its team can delete this prompt." });
  await deletePromptRow(db, id);
}

/** Counts a use of a prompt that the user may use. Throws NOT_FOUND. */
export async function countUse(db: Database, userId: string, id: string): Promise<void> {
  await requirePrompt(db, userId, id);
  await insertUse(db, { userId, promptId: id }, now());
}

type AccessiblePrompt = { found: AccessiblePromptRow; rights: ContentRights; team: TeamMembership };

/** A prompt that the user may use, and what they may do with it. Throws NOT_FOUND. */
export async function requirePrompt(db: Database, userId: string, id: string): Promise<AccessiblePrompt> {
  const found = await selectPrompt(db, userId, id);
  if (!found) throw new AppError("NOT_FOUND");
  const team = membershipOf(found);
  return { found, rights: contentRights(found.prompt, userId, team), team };
}

/** What differs: the same again is no change. */
function changesOf<T extends object>(wanted: T, before: Record<keyof T, unknown>): Partial<T> {
  const changes: Partial<T> = { ...wanted };
  for (const name in wanted) if (JSON.stringify(wanted[name]) === JSON.stringify(before[name])) delete changes[name];
  return changes;
}

type Settings = Partial<Pick<PromptRow, "tool_categories" | "persona_id" | "model_id" | "context_ids">>;
type GivenSettings = { [K in keyof Settings]?: Settings[K] | undefined };

/** The settings that were named; an empty list is none. */
function withoutEmpty({ tool_categories: tools, persona_id: persona, model_id: model, context_ids: contexts }: GivenSettings): Settings {
  return {
    ...(tools !== undefined && { tool_categories: tools?.length ? tools : null }),
    ...(persona !== undefined && { persona_id: persona }),
    ...(model !== undefined && { model_id: model }),
    ...(contexts !== undefined && { context_ids: contexts?.length ? contexts : null }),
  };
}

function toSummary({ prompt, text, uses, last_used_at }: AccessiblePromptRow): PromptSummary {
  return { ...prompt, preview: previewOf(text), uses: uses ?? 0, last_used_at };
}

function previewOf(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, " ").trim());
  if (characters.length <= CONTENT_PREVIEW_LENGTH) return characters.join("");
  return `${characters.slice(0, CONTENT_PREVIEW_LENGTH).join("").trimEnd()}…`;
}

type Place = {
  /** The prompt of one's own that it comes right behind; null for the first place. */
  after: string | null;
  /** The prompt that moves; null for a new one. */
  moving: string | null;
};

/** The position right behind a prompt or before all. Throws INVALID_INPUT for a prompt that is not the user's own. */
async function placeAfter(db: Database, userId: string, place: Place): Promise<number> {
  if (place.after === null) return ((await selectFirstAndLastPosition(db, userId)).first ?? 1) - 1;
  if (place.after === place.moving) throw new AppError("INVALID_INPUT", { message: "A prompt cannot stand behind itself." });
  const found = await between(db, userId, { ...place, after: place.after });
  if (found !== null) return found;
  // Halved too often, or taken by two at once: there is no number left between the two.
  await renumberPrompts(db, userId);
  return (await between(db, userId, { ...place, after: place.after })) ?? 0;
}

async function between(db: Database, userId: string, { after, moving }: Place & { after: string }): Promise<number | null> {
  const position = await selectPosition(db, userId, after);
  if (position === undefined) throw new AppError("INVALID_INPUT", { message: "The prompt before it is gone." });
  const next = await selectNextPosition(db, userId, { id: after, position, but: moving });
  if (next === undefined) return position + 1;
  const middle = (position + next) / 2;
  return middle > position && middle < next ? middle : null;
}
