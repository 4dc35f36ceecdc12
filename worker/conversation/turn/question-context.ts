/** What goes along with a question besides its words: passages found for it, facts remembered, what its door says of it. */
import * as z from "zod/mini";
import { QUESTION_KINDS, Section } from "#worker/library/contribution.ts";
import { SOURCE_OF_SECTION } from "./contribution.ts";
import type { PathRow } from "./path.ts";
import type { TurnRequest } from "./request.ts";

/** The facts that went along with a reply, and whose they are. */
export const UsedMemory = z.object({ by: z.string(), ids: z.array(z.string()) });
export type UsedMemory = z.infer<typeof UsedMemory>;

/** `factIds` are the facts that its turn was given, of which a later one says again only what is new. */
export type QuestionContext = { sections: Section[]; factIds: readonly string[] };

const Sections = z.array(Section);

/** The sections that belong to a question and are kept with it; facts are not, as memory keeps them. */
export function sectionsToStore(sections: readonly Section[]): Section[] {
  return sections.filter(({ kind }) => kind !== "memory" && isOfQuestion(kind));
}

/** The same as a column of the reply. */
export function storedSections(column: string | null): Section[] {
  return column === null ? [] : Sections.parse(JSON.parse(column));
}

function isOfQuestion(kind: Section["kind"]): boolean {
  return QUESTION_KINDS.some((one) => one === kind);
}

/**
 * What went along with the questions of a path, by question: with those that this turn's person asked as it was sent then, as far as the
 * turn may use such things, and with the last one what the turn itself was given.
 */
export function questionContexts(
  { reader, sources }: Pick<TurnRequest, "reader" | "sources">,
  path: readonly PathRow[],
  turn: { sections: readonly Section[]; memoryIds: readonly string[]; contextIds: readonly string[] },
): Map<string, QuestionContext> {
  const found = new Map<string, QuestionContext>();
  for (const [index, { id, role }] of path.entries()) {
    const reply = path[index + 1];
    if (role !== "user" || reply?.role !== "assistant" || reply.payer_id !== reader.userId) continue;
    const sections = storedSections(reply.context).filter(({ kind, entryIds = [] }) => {
      const source = SOURCE_OF_SECTION[kind];
      return (source === null || sources.includes(source)) && entryIds.every((entryId) => turn.contextIds.includes(entryId));
    });
    const used = reply.memory === null ? null : UsedMemory.parse(JSON.parse(reply.memory));
    found.set(id, { sections, factIds: used?.by === reader.userId ? used.ids : [] });
  }
  const question = path.at(-1);
  if (question) found.set(question.id, { sections: sectionsToStore(turn.sections), factIds: turn.memoryIds });
  return found;
}

const SINCE = "Remembered about them since:";

/** What the product puts before a message, between marks that nobody who wrote any of it can know and so cannot close. */
function before(messageId: string, given: readonly string[]): string {
  const mark = `added-${messageId.slice(0, 8)}`;
  return `What stands between the two ${mark} marks was added to this message by the product; the person did not type it.\n<${mark}>\n${given.join("\n\n")}\n</${mark}>\n\n`;
}

const ADDED = /^What stands between the two (added-[^ ]{1,8}) marks [^\n]*\n<\1>\n[^]*?\n<\/\1>\n\n/;

/** What a person said of a message as a model reads it. */
export function withoutAdded(text: string): string {
  return text.replace(ADDED, "");
}

type Message = { id: string; text: string; context: QuestionContext | undefined; earlier: string | null };

/**
 * Puts before each message of a path, in its order, what goes along with it. Facts stand where they were first sent, in their words of now:
 * what was forgotten is said nowhere any more.
 */
export function openAdded(sections: readonly Section[], questions: ReadonlyMap<string, QuestionContext>): (message: Message) => string {
  const memory = sections.find(({ kind }) => kind === "memory");
  const [introduction = "", ...lines] = memory?.text.split("\n") ?? [];
  const lineById = new Map([...questions.values()].at(-1)?.factIds.map((id, index) => [id, lines[index]]));
  let isIntroduced = false;
  return ({ id, text, context, earlier }) => {
    const facts = (context?.factIds ?? []).flatMap((factId) => {
      const line = lineById.get(factId) ?? [];
      lineById.delete(factId);
      return line;
    });
    const remembered = facts.length === 0 ? [] : [[isIntroduced ? SINCE : introduction, ...facts].join("\n")];
    isIntroduced ||= facts.length > 0;
    const given = [...(earlier === null ? [] : [earlier]), ...remembered, ...(context?.sections ?? []).map((section) => section.text)];
    return given.length === 0 ? text : before(id, given) + text;
  };
}
