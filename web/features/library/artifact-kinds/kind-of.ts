/** What a document is made of that is one fenced block and nothing else. */
export type ArtifactKind = "html" | "svg" | "mermaid" | "csv";
export type FencedDocument = { kind: ArtifactKind; source: string };

const KINDS = new Map<string, ArtifactKind>([
  ["html", "html"],
  ["htm", "html"],
  ["svg", "svg"],
  ["mermaid", "mermaid"],
  ["csv", "csv"],
  ["tsv", "csv"],
]);

// A word ends in one way alone: else a line without an end takes the square of its length.
const OPENING = /^\s*(`{3,}|~{3,})[ \t]*([\w-]+)(?![\w-])[^\n]*\n/;

/** The kind of a document that is wholly one fenced block of a kind that can be shown live; null for any other. */
export function parseFencedDocument(text: string): FencedDocument | null {
  const opening = OPENING.exec(text);
  const kind = KINDS.get(opening?.[2]?.toLowerCase() ?? "");
  const fence = opening?.[1];
  if (!opening || !kind || fence === undefined) return null;
  const body = text.slice(opening[0].length).trimEnd();
  const closing = new RegExp(`(?:^|\\n)[ ]{0,3}${fence.charAt(0) === "~" ? "~" : "`"}{${fence.length},}[ \\t]*(?:\\n|$)`).exec(body);
  // As it is typed, its end has not come yet.
  if (!closing) return { kind, source: body };
  // One that ends before the document does is a block among others.
  if (closing.index + closing[0].length < body.length) return null;
  return { kind, source: body.slice(0, closing.index) };
}
