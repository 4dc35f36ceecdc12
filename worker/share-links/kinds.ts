import type { SharedKind } from "#shared/sharing/share-links.ts";
import { AppError } from "../app-error.ts";
import type { Database } from "../db/client.ts";
import { addPersona, findPersona, reachPersona, selectPersonaText } from "../personas/personas.ts";
import { addPrompt, findPrompt, reachPrompt, selectPromptText } from "../prompts/prompts.ts";

type Text = { name: string; content: string };

/** What sharing by link needs to know of a kind of content. */
type Kind = {
  /** Throws NOT_FOUND for an item that this person does not reach, and FORBIDDEN where its sharing is not theirs to change. */
  admit: (db: Database, userId: string, id: string) => Promise<void>;
  read: (db: Database, id: string) => Promise<Text | undefined>;
  /** Throws NOT_FOUND for an item that this person does not reach. */
  find: (db: Database, userId: string, id: string) => Promise<unknown>;
  /** Throws CONFLICT for an id that is taken. */
  add: (db: Database, userId: string, item: Text & { id: string }) => Promise<unknown>;
};

/** Each kind of what can be shared by link. */
export const KINDS: Record<SharedKind, Kind> = {
  persona: {
    async admit(db, userId, id) {
      const { persona, rights } = await reachPersona(db, userId, id);
      if (!rights.share) throw new AppError("FORBIDDEN", { message: "Only its creator can share this persona." });
      if (persona.is_personalized) throw new AppError("FORBIDDEN", { message: "The personalized persona is yours alone." });
    },
    read: selectPersonaText,
    find: findPersona,
    add: (db, userId, item) => addPersona(db, userId, { ...item, isForeign: true }),
  },
  prompt: {
    async admit(db, userId, id) {
      const { rights } = await reachPrompt(db, userId, id);
      if (!rights.share) throw new AppError("FORBIDDEN", { message: "Only its creator can share this prompt." });
    },
    read: selectPromptText,
    find: findPrompt,
    add: addPrompt,
  },
};
