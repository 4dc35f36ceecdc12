/** What the tools of artifacts do, with the rights of the person whose turn it is and no others. */
import * as z from "zod/mini";
import type { Artifact } from "#shared/entities/artifact.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { copyArtifact, makeArtifact, readArtifact } from "#worker/library/artifacts/artifacts.ts";
import { listArtifacts } from "#worker/library/artifacts/list/list.ts";
import { type Author, saveArtifact } from "#worker/library/artifacts/save.ts";
import { findAccessibleArtifacts } from "#worker/library/artifacts/access/access.ts";
import { hasChatTeam, shareWithChatTeam } from "#worker/library/artifacts/sharing/share-with-team.ts";
import { notifyReaders } from "#worker/library/artifacts/notify.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { ArtifactHub } from "./hub.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
import type { CopyInput, CreateInput, EditInput, ListInput, ReadInput, SearchInput } from "./inputs.ts";

const PAGE = 20;
/** Characters of a text that one reading shows. */
const READ_LENGTH = 60_000;
/** A first search of many artifacts reads their texts, some with each asking: it is asked so often at most. */
const ASKINGS = 8;

const EVERYTHING = { workspace: "all", filter: "all", sort: "updated" } as const;

/** Lists artifacts. */
export function list({ limit = PAGE, cursor }: z.output<typeof ListInput>, { env, reader }: ToolContext): Promise<ToolResult> {
  return answer(async () => {
    const page = await listArtifacts(openDatabase(env.DB), reader.userId, { ...EVERYTHING, q: "", cursor, limit });
    return quoteUntrusted(JSON.stringify({ artifacts: page.artifacts.map(shown), next: page.nextCursor }));
  });
}

/** Reads an artifact. */
export function read(
  { artifact_id: id, from_line: from = 1 }: z.output<typeof ReadInput>,
  { env, reader }: ToolContext,
): Promise<ToolResult> {
  return answer(async () => {
    const artifact = await readArtifact(env, openDatabase(env.DB), reader.userId, id);
    const lines = artifact.content.split("\n").slice(from - 1);
    const page: string[] = [];
    let length = 0;
    for (const line of lines) {
      if (page.length > 0 && length + line.length > READ_LENGTH) break;
      page.push(line.slice(0, READ_LENGTH));
      length += line.length + 1;
    }
    const next = page.length < lines.length ? from + page.length : null;
    return quoteUntrusted(`${JSON.stringify({ ...shown(artifact), next_line: next })}\n\n${page.join("\n")}`);
  });
}

/** Makes an artifact, which a chat's team reads too. */
export function create({ title, content }: z.output<typeof CreateInput>, context: ToolContext): Promise<ToolResult> {
  return answer(async () => {
    const { env, reader } = context;
    const db = openDatabase(env.DB);
    const make = async (id: string) => {
      const [known] = await findAccessibleArtifacts(db, reader.userId, [id]);
      return known?.shown ?? makeArtifact(env, db, authorOf(context), { id, title, content });
    };
    return JSON.stringify(await madeOnce(context, make));
  });
}

/** Copies an artifact. */
export function copy({ artifact_id: id, title }: z.output<typeof CopyInput>, context: ToolContext): Promise<ToolResult> {
  const { env } = context;
  return answer(async () => {
    const db = openDatabase(env.DB);
    return JSON.stringify(await madeOnce(context, (copyId) => copyArtifact(env, db, authorOf(context), { id: copyId, from: id, title })));
  });
}

/** Changes an artifact. */
export function edit({ artifact_id: id, edits }: z.output<typeof EditInput>, context: ToolContext): Promise<ToolResult> {
  const { env, reader, once } = context;
  return answer(async () => {
    const db = openDatabase(env.DB);
    const done = await once("edit", Changed, async () => {
      const before = await readArtifact(env, db, reader.userId, id);
      const replaced = replaceExactly(before.content, edits);
      if (!replaced.ok) throw new AppError("INVALID_INPUT", { message: replaced.error });
      const saved = await saveArtifact(env, db, authorOf(context), id, { content: replaced.text, base: before.version, kind: "model" });
      if (!saved.isSaved) {
        throw new AppError("ARTIFACT_CONFLICT", {
          message: "Somebody changed the same lines meanwhile. Read it again, then make your change.",
        });
      }
      return { artifact_id: id, title: before.title, version: saved.version, ...(saved.isNew && { previous_version: saved.version - 1 }) };
    });
    await notifyReaders(env, db, { artifactId: id, version: done.version });
    return JSON.stringify(done);
  });
}

type Place = { env: Env; userId: string; chatId: string };

/** True for an artifact that others read too, or that is another's. */
export async function editAffectsOthers({ artifact_id: id }: z.output<typeof EditInput>, { env, userId }: Place): Promise<boolean> {
  const [accessible] = await findAccessibleArtifacts(openDatabase(env.DB), userId, [id]);
  return accessible !== undefined && (!accessible.shown.is_owner || accessible.shown.is_shared);
}

/** True where a team reads what is made in this chat. */
export function isReadByTeam({ env, userId, chatId }: Place): Promise<boolean> {
  return hasChatTeam(openDatabase(env.DB), { userId, chatId });
}

/** Finds artifacts by words: of their titles and texts, as the person's own search does. */
export function search({ query, limit = PAGE }: z.output<typeof SearchInput>, { env, reader }: ToolContext): Promise<ToolResult> {
  return answer(async () => {
    const hub = stubOf<ArtifactHub>(env.USER_HUB, reader.userId);
    const ask = () => hub.search({ q: query, kind: "artifact", limit, sources: ["artifacts"] });
    let found = await ask();
    for (let asked = 1; found.isIncomplete && asked < ASKINGS; asked += 1) found = await ask();
    const passages = new Map(found.artifacts?.map(({ id, snippet }) => [id, snippet.text]));
    const accessible = await findAccessibleArtifacts(openDatabase(env.DB), reader.userId, [...passages.keys()]);
    const artifacts = accessible.map((artifact) => ({ ...shown(artifact.shown), passage: passages.get(artifact.row.id) ?? "" }));
    return quoteUntrusted(
      JSON.stringify({ artifacts, ...(found.isIncomplete && { note: "Not all texts are read yet: search again for more." }) }),
    );
  });
}

const Changed = z.object({ artifact_id: z.string(), title: z.string(), version: z.number(), previous_version: z.optional(z.number()) });
const Made = z.object({ artifact_id: z.string(), title: z.string(), version: z.number() });

async function madeOnce(context: ToolContext, make: (id: string) => Promise<Artifact>): Promise<z.output<typeof Made>> {
  const { env, reader, chatId, replyId, callId, once } = context;
  const db = openDatabase(env.DB);
  const made = await once("create", Made, async () => {
    // What an interrupted life of this call made already has the same id.
    const id = await uuidOfName(JSON.stringify(["created", replyId, callId]));
    const { title, version } = await make(id);
    return { artifact_id: id, title, version };
  });
  await shareWithChatTeam(db, { artifactId: made.artifact_id, userId: reader.userId, chatId });
  await notifyReaders(env, db, { artifactId: made.artifact_id, version: made.version });
  return made;
}

function authorOf({ reader, writerId, chatId, replyId }: ToolContext): Author {
  return { userId: reader.userId, model: { modelId: writerId, chatId, messageId: replyId } };
}

function shown({ id, title, version, size, updated_at, permission_level, shared_by_name }: Artifact) {
  return {
    id,
    title,
    version,
    bytes: size,
    changed: updated_at,
    may_edit: permission_level !== "viewer",
    ...(shared_by_name !== null && { shared_by: shared_by_name }),
  };
}

/** What a person may not do is refused to their model in the same words; it can go on with something else. */
async function answer(act: () => Promise<string>): Promise<ToolResult> {
  try {
    return { ok: true, output: await act() };
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.status >= 500) throw cause;
    return { ok: false, error: cause.code === "NOT_FOUND" ? "There is no artifact with this id that the user can read." : cause.message };
  }
}

type Edit = { old_text: string; new_text: string };

/** So many places are counted: in a long text one letter stands at a million. */
const COUNTED = 10;

/** A text after these replacements, or why one cannot be made, in words from which a model can correct its call. */
function replaceExactly(text: string, edits: readonly Edit[]): { ok: true; text: string } | { ok: false; error: string } {
  let changed = text;
  for (const [place, { old_text: old, new_text: next }] of edits.entries()) {
    const at = changed.indexOf(old);
    if (at === -1)
      return {
        ok: false,
        error: `${named(place, edits)} its old_text is not in the artifact. ${missing(changed, old)} Nothing was changed.`,
      };
    const times = countOf(changed, old);
    if (times > 1) {
      const often = times < COUNTED ? `${times} times` : `${COUNTED} or more times`;
      return {
        ok: false,
        error: `${named(place, edits)} its old_text stands in the artifact ${often}. Add words before or after it, so that it stands there once. Nothing was changed.`,
      };
    }
    changed = changed.slice(0, at) + next + changed.slice(at + old.length);
  }
  return { ok: true, text: changed };
}

function named(place: number, edits: readonly Edit[]): string {
  return edits.length === 1 ? "This replacement cannot be made:" : `Replacement ${place + 1} of ${edits.length} cannot be made:`;
}

function missing(text: string, old: string): string {
  const flat = (given: string) => given.replaceAll(/\s+/g, " ").trim();
  if (flat(text).includes(flat(old))) return "Only its spaces or line breaks differ: copy them exactly from readArtifact.";
  return "Read it with readArtifact and copy the text exactly; somebody may have changed it meanwhile.";
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1 && count < COUNTED; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}
