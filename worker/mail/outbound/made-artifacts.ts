/** Artifacts that a mailed answer made: files of its mail as far as there is room, links where there is none. */
import * as z from "zod/mini";
import { bytesOf } from "#shared/artifacts.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { readVersion } from "#worker/library/artifacts/artifacts.ts";
import { toBase64 } from "#worker/platform/clients/data-url.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { type MailFile, mailFilesBytes } from "#worker/platform/clients/mailer.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";

/** An artifact as it stood when the answer was done. */
export type MadeArtifact = { id: string; title: string; version: number };

/** What a tool call ended with, as its turn keeps it. */
type EndedCall = { tool: string; status: string; output: string | null };

const Output = z.object({ artifact_id: z.string(), title: z.string(), version: z.number() });

/** What an artifact is that is one fenced block and nothing else (see the tool that makes them). */
const KINDS = new Map([
  ["csv", { ending: "csv", type: "text/csv" }],
  ["html", { ending: "html", type: "text/html" }],
  ["svg", { ending: "svg", type: "image/svg+xml" }],
  ["mermaid", { ending: "mmd", type: "text/plain" }],
]);
const FENCED = /^\s*(`{3,}|~{3,})([a-z]+)[^\n`]*\n([\s\S]*?)\n?\1\s*$/;

/** The artifacts that an answer's calls made, with what it changed in them; those that it found or copied were there before, and are nobody else's business. */
export function madeArtifacts(calls: readonly EndedCall[]): MadeArtifact[] {
  const made = new Map<string, MadeArtifact>();
  for (const { tool, status, output } of calls) {
    const done = status === "done" && (tool === "createArtifact" || tool === "editArtifact") ? readOutput(output) : null;
    if (!done || (tool === "editArtifact" && !made.has(done.artifact_id))) continue;
    made.set(done.artifact_id, { id: done.artifact_id, title: done.title, version: done.version });
  }
  return [...made.values()];
}

function readOutput(output: string | null): z.infer<typeof Output> | null {
  try {
    return Output.parse(JSON.parse(output ?? ""));
  } catch {
    return null;
  }
}

/** The files of a mail, and markdown with links to what has no room; what is gone is in neither. Each version's text is always the same. */
export async function mailArtifacts(
  env: Env,
  { userId, made, room = mailFilesBytes(env) }: { userId: string; made: readonly MadeArtifact[]; room?: number },
): Promise<{ files: MailFile[]; links: string }> {
  const { origin } = configOf(env);
  const files: MailFile[] = [];
  const links: string[] = [];
  let left = room;
  for (const artifact of made) {
    const content = await findText(env, userId, artifact);
    if (content === null) continue;
    const size = bytesOf(content);
    if (size <= left) {
      left -= size;
      files.push(toFile(artifact.title, content));
    } else if (origin !== undefined) links.push(`[${artifact.title.replaceAll(/[[\]\\<>`*_]/g, " ")}](${origin}/artifacts/${artifact.id})`);
  }
  return { files, links: links.join("  \n") };
}

async function findText(env: Env, userId: string, { id, version }: MadeArtifact): Promise<string | null> {
  try {
    return (await readVersion(env, openDatabase(env.DB), userId, { id, version, nearest: false })).content;
  } catch (cause) {
    if (cause instanceof AppError && cause.code === "NOT_FOUND") return null;
    throw cause;
  }
}

function toFile(title: string, content: string): MailFile {
  const [, , language = "", inner = ""] = FENCED.exec(content) ?? [];
  const kind = KINDS.get(language);
  const { ending, type } = kind ?? { ending: "md", type: "text/markdown" };
  const text = kind ? inner : content;
  return { filename: plainName(`${title}.${ending}`), type, content: toBase64(new TextEncoder().encode(text)) };
}
