import { IMPORT_KINDS, IMPORT_SOURCES, type Import, type ImportCount, type ImportKind, type ImportNote } from "./import.ts";

/** One of a kind, and several. */
const KIND_LABELS: Record<ImportKind, readonly [string, string]> = {
  chat: ["chat", "chats"],
  message: ["message", "messages"],
  branch: ["other branch", "other branches"],
  file: ["file", "files"],
  mail: ["mail", "mails"],
  artifact: ["artifact", "artifacts"],
  persona: ["persona", "personas"],
  prompt: ["prompt", "prompts"],
  knowledge: ["knowledge entry", "knowledge entries"],
  memory: ["memory", "memories"],
  folder: ["folder", "folders"],
  setting: ["setting", "settings"],
  project: ["project", "projects"],
};

/** A report's lines, one for each kind that it has any of, in their usual order. */
export function countedKinds({ counts }: Pick<Import, "counts">): { kind: ImportKind; label: string; count: ImportCount }[] {
  return IMPORT_KINDS.flatMap((kind) => {
    const count = counts[kind];
    const all = count ? count.came + count.here + count.failed : 0;
    return count && all > 0 ? [{ kind, label: KIND_LABELS[kind][all === 1 ? 0 : 1], count }] : [];
  });
}

/** What became of a count in words: `12 imported, 3 already here, 1 not imported`. */
export function countWords({ came, here, failed }: ImportCount): string {
  const parts = [`${came} imported`];
  if (here > 0) parts.push(`${here} already here`);
  if (failed > 0) parts.push(`${failed} not imported`);
  return parts.join(", ");
}

/** An import in one sentence: `12 chats imported, 3 already here.` */
export function importSentence(counts: Import["counts"]): string {
  const chats = counts.chat ?? { came: 0, here: 0, failed: 0 };
  const word = chats.came === 1 ? "chat" : "chats";
  return `${countWords(chats).replace(" imported", ` ${word} imported`)}.`;
}

type Reported = Pick<Import, "name" | "source" | "state" | "counts" | "created_at" | "ended_at" | "error">;

/** The whole report as text for a file. */
export function reportText(made: Reported, notes: readonly ImportNote[]): string {
  const lines = [
    `Import of ${made.name}`,
    made.source === null ? "" : `From: ${IMPORT_SOURCES[made.source]}`,
    `Begun: ${made.created_at}`,
    made.ended_at === null ? "" : `Ended: ${made.ended_at}`,
    made.state === "cancelled" ? "It was cancelled; what had come by then is kept." : "",
    made.error ?? "",
  ].filter((line) => line !== "");
  const counts = countedKinds(made).map(({ label, count }) => `${label}: ${countWords(count)}`);
  const noteLines = notes.map(({ kind, title, reason }) => `- ${KIND_LABELS[kind][0]} "${oneLine(title)}": ${reason}`);
  return `${[lines, counts, noteLines]
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n")}\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
