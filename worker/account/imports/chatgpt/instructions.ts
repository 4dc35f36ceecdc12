/** ChatGPT's custom instructions, which stand in each conversation as they were then: the newest are a persona here. */
import { PERSONA_LENGTH } from "#shared/limits.ts";
import type { Archive } from "../archive.ts";
import { cleanText } from "../chats/external-chat.ts";
import { fieldsOrEmpty, textOrNull } from "#worker/account/imports/chats/untrusted-values.ts";
import { importExternalPersona } from "../polylogue/import-external-persona.ts";
import type { ImportResult, Importing } from "../source.ts";

const NAME = "ChatGPT custom instructions";
const NOTHING: ImportResult = { counts: {}, notes: [] };
const FENCE = "```";

/** When the instructions that an archive's conversations imported so far were in force. */
const newestImportedAt = new WeakMap<Archive, string>();

/** The instructions that a conversation was had under; empty for none. */
export function instructionsIn(mapping: Readonly<Record<string, unknown>>): string {
  for (const node of Object.values(mapping)) {
    const { content, metadata } = fieldsOrEmpty(fieldsOrEmpty(node).message);
    const { content_type: type, user_profile: profile, user_instructions: how } = fieldsOrEmpty(content);
    if (type !== "user_editable_context") continue;
    const raw = fieldsOrEmpty(fieldsOrEmpty(metadata).user_context_message_data);
    const about = cleanInstruction(textOrNull(raw.about_user_message) ?? unwrapped(textOrNull(profile) ?? ""));
    const wanted = cleanInstruction(textOrNull(raw.about_model_message) ?? unwrapped(textOrNull(how) ?? ""));
    return [about === "" ? "" : `About the user:\n\n${about}`, wanted].filter((text) => text !== "").join("\n\n");
  }
  return "";
}

function cleanInstruction(text: string): string {
  return cleanText(text).trim();
}

/** What stands in the fence that a text ends with; what the product writes around it stands before. */
function unwrapped(text: string): string {
  const [from, until] = [text.indexOf(FENCE) + FENCE.length, text.trimEnd().length - FENCE.length];
  return from >= FENCE.length && from <= until && text.startsWith(FENCE, until) ? text.slice(from, until).trim() : text;
}

/** Keeps instructions that were in force at that time (ISO 8601) as a persona, unless newer ones, or its person's own words, stand there. */
export async function importInstructions(
  importing: Importing,
  place: number,
  { text, at }: { text: string; at: string },
): Promise<ImportResult> {
  const { archive } = importing;
  if (text === "" || text.length > PERSONA_LENGTH || (newestImportedAt.get(archive) ?? "") >= at) return NOTHING;
  newestImportedAt.set(archive, at);
  const came = await importExternalPersona(importing, place, { key: NAME, name: NAME, content: text, at });
  // Each conversation has them: they count once.
  return came.counts.persona?.here ? NOTHING : came;
}
