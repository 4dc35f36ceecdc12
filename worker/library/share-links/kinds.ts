import { whoMayChange } from "#shared/sharing/shared-content.ts";
import type { SharedKind } from "#shared/sharing/share-links.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { requireKnowledge } from "#worker/library/knowledge/knowledge.ts";
import { addPersona, findPersona, requirePersona, selectPersonaText } from "#worker/library/personas/personas.ts";
import { addPrompt, findPrompt, requirePrompt, selectPromptText } from "#worker/library/prompts/prompts.ts";

type Text = { name: string; content: string };

/** What is a text and no more. */
export type TextKind = Exclude<SharedKind, "knowledge">;

/** What sharing by link needs to know of a kind of text. */
type Kind = {
  read: (db: Database, id: string) => Promise<(Text & { created_at: string }) | undefined>;
  /** Throws NOT_FOUND for an item that this person does not reach. */
  find: (db: Database, userId: string, id: string) => Promise<unknown>;
  /** Throws CONFLICT for an id that is taken. */
  add: (db: Database, userId: string, item: Text & { id: string }) => Promise<unknown>;
};

/** Throws NOT_FOUND for an item that this person does not reach, and FORBIDDEN where its sharing is not theirs to change. */
type Admit = (db: Database, userId: string, id: string) => Promise<void>;

/** Who may share an item of each kind by link. */
export const ADMIT: Record<SharedKind, Admit> = {
  async persona(db, userId, id) {
    const { persona, rights, team } = await requirePersona(db, userId, id);
    if (!rights.share) throw new AppError("FORBIDDEN", { message: `${whoMayChange(team)} can share this persona.` });
    if (persona.is_personalized) throw new AppError("FORBIDDEN", { message: "The personalized persona is yours alone." });
  },
  async prompt(db, userId, id) {
    const { rights, team } = await requirePrompt(db, userId, id);
    if (!rights.share) throw new AppError("FORBIDDEN", { message: `${whoMayChange(team)} can share this prompt.` });
  },
  async knowledge(db, userId, id) {
    const { rights, team } = await requireKnowledge(db, userId, id);
    if (!rights.share) throw new AppError("FORBIDDEN", { message: `${whoMayChange(team)} can share this knowledge.` });
  },
};

/** Each kind of text that can be shared by link. */
export const TEXTS: Record<TextKind, Kind> = {
  persona: {
    read: selectPersonaText,
    find: findPersona,
    add: (db, userId, item) => addPersona(db, userId, { ...item, isUntrusted: true }),
  },
  prompt: {
    read: selectPromptText,
    find: findPrompt,
    add: addPrompt,
  },
};
