import type { ChatSettings, ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { isOwnCategory, OWNERS_CHOICE } from "#shared/tools/own-categories.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { selectPersonasById } from "#worker/library/personas/personas.ts";
import { hasChat, ownerOf, readSettings } from "../chat.ts";

const OFF_RECORD = "Only the owner of this chat can put it back on the record, as their memory would be read.";
const DEFAULT_PERSONA = "Only the owner of this chat can go back to their default persona.";
const ANOTHERS_PERSONA = "Choose a persona of your own or of your team: this one is not yours to use.";
const ANOTHERS_KNOWLEDGE = "Add knowledge of your own or of your team: this entry is not yours to use.";

type Barred = { ok: false; code: "FORBIDDEN"; message: string };
type Change = { userId: string; change: ChatSettingsChange };

const knowledge = loadOnce(() => import("#worker/library/knowledge/knowledge.ts"));

/**
 * Why someone may not set a chat so, null where they may. A chat's settings hold for its owner's turns too, those that nobody looks at among
 * them: what is the owner's own is read because they chose so. What is on already, and what holds for one message alone, is no change.
 */
export async function refuseSources(env: Env, sql: SqlStorage, { userId, change }: Change): Promise<Barred | null> {
  if (!hasChat(sql) || userId === ownerOf(sql)) return null;
  const before = readSettings(sql);
  const { tool_categories: categories = [], off_record: offRecord } = change;
  if (categories.some((id) => isOwnCategory(id) && !before.tool_categories.includes(id))) return barred(OWNERS_CHOICE);
  if (offRecord === false && before.off_record === true) return barred(OFF_RECORD);
  const db = openDatabase(env.DB);
  return (await refusePersona(db, before, { userId, change })) ?? (await refuseKnowledge(db, before, { userId, change }));
}

async function refusePersona(db: Database, before: ChatSettings, { userId, change }: Change): Promise<Barred | null> {
  const { persona_id: id = before.persona_id } = change;
  // Without one the owner's default would be taken.
  if (id === null) return before.persona_id === null ? null : barred(DEFAULT_PERSONA);
  // The personalized persona goes by its person's id, and has no row before something is written in it.
  if (id === before.persona_id || id === "" || id === userId) return null;
  return (await selectPersonasById(db, userId, [id])).length > 0 ? null : barred(ANOTHERS_PERSONA);
}

async function refuseKnowledge(db: Database, before: ChatSettings, { userId, change }: Change): Promise<Barred | null> {
  const added = [...new Set(change.context_ids)].filter((id) => !before.context_ids.includes(id));
  if (added.length === 0) return null;
  const { usableKnowledge } = await knowledge();
  return (await usableKnowledge(db, userId, added)).length === added.length ? null : barred(ANOTHERS_KNOWLEDGE);
}

function barred(message: string): Barred {
  return { ok: false, code: "FORBIDDEN", message };
}
