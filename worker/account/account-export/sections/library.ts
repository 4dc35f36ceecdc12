import { selectOwnPersonas, selectOwnPrompts } from "./queries.ts";
import { prettyJson, type Section } from "../section.ts";

/** Personas with what they said before, and prompts with how often they were used. */
export const librarySection: Section = {
  async write({ archive, db, userId, count }) {
    const personas = await selectOwnPersonas(db, userId);
    await archive.text("library/personas.json", prettyJson(personas));
    count("personas", personas.length);
    const prompts = await selectOwnPrompts(db, userId);
    await archive.text("library/prompts.json", prettyJson(prompts));
    count("prompts", prompts.length);
    return null;
  },
};
