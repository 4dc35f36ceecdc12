import { codeBlock, textOrNull } from "#worker/account/imports/chats/untrusted-values.ts";

type Fields = Readonly<Record<string, unknown>>;

const LANGUAGES: Record<string, string> = {
  "text/html": "html",
  "text/markdown": "markdown",
  "image/svg+xml": "svg",
  "application/vnd.ant.mermaid": "mermaid",
  "application/vnd.ant.react": "tsx",
};

/** True for a call that writes one of Claude's artifacts. */
export function isArtifact({ name }: Fields): boolean {
  return name === "artifacts";
}

/** The language that a call says its artifact is in; null where it says none. */
export function languageOf({ language, type }: Fields): string | null {
  const named = textOrNull(type) ?? "";
  return textOrNull(language) ?? (Object.hasOwn(LANGUAGES, named) ? (LANGUAGES[named] ?? null) : null);
}

/** An artifact as the text that it was at that point: whole where it was written, what changed where it was changed. */
export function artifactBlock(input: Fields): string {
  const title = textOrNull(input.title) ?? textOrNull(input.id) ?? "Artifact";
  const language = languageOf(input) ?? "";
  const text = textOrNull(input.content);
  if (text !== null) return `**${title}**\n\n${codeBlock(text, language)}`;
  const [before, after] = [textOrNull(input.old_str), textOrNull(input.new_str)];
  if (after === null) return "";
  return `**${title}** (changed)\n\n${before === null || before === "" ? "" : `${codeBlock(before, language)}\n\nbecame\n\n`}${codeBlock(after, language)}`;
}
