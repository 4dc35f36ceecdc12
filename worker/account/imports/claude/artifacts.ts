/** Claude's artifacts: the calls that make and change each give all its versions. */
import { bytesOf, previewOf, withLineFeeds } from "#shared/artifacts.ts";
import { ARTIFACT_BYTES, ARTIFACT_TITLE_LENGTH } from "#shared/limits.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { configOf } from "#worker/platform/env.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { getUserRow } from "#worker/people/users/users.ts";
import { cleanText, timeOrNull } from "../chats/external-chat.ts";
import { codeBlock, fieldsOrEmpty, listOrEmpty, textOrNull } from "#worker/account/imports/chats/untrusted-values.ts";
import type { ImportedCall } from "../chats/message-tree.ts";
import { importExternalArtifact } from "../polylogue/import-external-artifact.ts";
import { addCounts, type ImportResult, counted, type Importing } from "../source.ts";
import { isArtifact, languageOf } from "./artifact-block.ts";

type Fields = Readonly<Record<string, unknown>>;
type Version = { text: string; at: string };
/** `language` is what it was when it was made: a change does not say it again. */
type Artifact = { key: string; title: string; language: string; versions: Version[] };

/** Where a call stands: its message, and its block in it. */
type Place = `${number}/${number}`;
/** The version and artifact that a call wrote. */
type Step = { place: Place; key: string; version: number; input: Fields };

/** Versions that come along: the newest. */
const VERSIONS = 150;
/** Artifacts of one conversation. */
const ARTIFACTS = 100;

/** What calls of a conversation wrote, by their places; empty where its artifacts stay text. */
export type MadeArtifacts = ReadonlyMap<string, ImportedCall>;

/** Follows the calls of a conversation along its branches; a change that does not fit what stands there is no version, and stays text. */
export function followArtifacts(conversation: Fields): { artifacts: Artifact[]; steps: Step[] } {
  const artifacts = new Map<string, Artifact>();
  const steps: Step[] = [];
  /** What each artifact says at the end of a message. */
  const after = new Map<string, ReadonlyMap<string, string>>();
  let before: ReadonlyMap<string, string> = new Map();
  for (const [index, message] of listOrEmpty(conversation.chat_messages).map(fieldsOrEmpty).entries()) {
    const texts = new Map(after.get(textOrNull(message.parent_message_uuid) ?? "") ?? before);
    for (const [block, { name, input }] of listOrEmpty(message.content).map(fieldsOrEmpty).entries()) {
      if (!isArtifact({ name })) continue;
      const call = fieldsOrEmpty(input);
      const key = textOrNull(call.id) ?? textOrNull(call.title) ?? `${index}/${block}`;
      const source = sourceAfter(call, texts.get(key));
      const known = artifacts.get(key);
      if (source === null || (!known && artifacts.size >= ARTIFACTS)) continue;
      texts.set(key, source);
      const artifact = known ?? { key, title: titleOf(call), language: languageOf(call) ?? "", versions: [] };
      artifacts.set(key, artifact);
      const text = withLineFeeds(cleanText(asDocument(source, artifact)));
      if (bytesOf(text) > ARTIFACT_BYTES) continue;
      artifact.versions.push({ text, at: timeOrNull(message.created_at) ?? new Date().toISOString() });
      steps.push({ place: `${index}/${block}`, key, version: artifact.versions.length, input: call });
    }
    before = texts;
    const id = textOrNull(message.uuid);
    if (id !== null) after.set(id, texts);
  }
  return { artifacts: [...artifacts.values()].filter(({ versions }) => versions.length > 0), steps };
}

function titleOf(call: Fields): string {
  const title = cleanText(textOrNull(call.title) ?? textOrNull(call.id) ?? "");
  return title.replaceAll(/\s+/g, " ").trim().slice(0, ARTIFACT_TITLE_LENGTH).toWellFormed() || "Artifact";
}

/** What an artifact says after a call; null for a change of what does not stand there exactly once. */
function sourceAfter(call: Fields, before: string | undefined): string | null {
  const fullText = textOrNull(call.content);
  if (fullText !== null) return fullText;
  const [old, next] = [textOrNull(call.old_str), textOrNull(call.new_str)];
  if (before === undefined || old === null || old === "" || next === null) return null;
  const at = before.indexOf(old);
  return at === -1 || before.includes(old, at + 1) ? null : before.slice(0, at) + next + before.slice(at + old.length);
}

/** Code as one fenced block, which is shown live where it can be; markdown as it is. */
function asDocument(source: string, { language }: Artifact): string {
  return language === "markdown" ? source : `${codeBlock(source, language)}\n`;
}

/** Keeps a conversation's artifacts, and answers the calls that stand for them in the chat of this id; one that has no room stays text. */
export async function importArtifacts(
  importing: Importing,
  { chatId, modelId, conversation }: { chatId: string; modelId: string | null; conversation: Fields },
): Promise<{ made: MadeArtifacts; result: ImportResult }> {
  const { env, db, user } = importing;
  const isOn = configOf(env).hasArtifacts && (await getUserRow(db, user.userId)).artifacts_enabled;
  const { artifacts, steps } = isOn ? followArtifacts(conversation) : { artifacts: [], steps: [] };
  const made = new Map<string, ImportedCall>();
  let result: ImportResult = { counts: {}, notes: [] };
  for (const artifact of artifacts) {
    const id = await uuidOfName(JSON.stringify(["import", user.userId, chatId, "artifact", artifact.key]));
    const problem = await keep(importing, { ...artifact, id, modelId });
    const notes: ImportNote[] =
      problem === null ? [] : [{ kind: "artifact", title: artifact.title, reason: `${problem} It stands in its chat as text.` }];
    result = {
      counts: addCounts(result.counts, counted("artifact", problem === null ? "came" : "failed")),
      notes: [...result.notes, ...notes],
    };
    if (problem !== null) continue;
    for (const step of steps) if (step.key === artifact.key) made.set(step.place, callOf(step, { ...artifact, id }));
  }
  return { made, result };
}

async function keep(
  importing: Importing,
  { id, modelId, title, versions }: Artifact & { id: string; modelId: string | null },
): Promise<string | null> {
  const latest = versions.length;
  const storedVersions = versions.slice(-VERSIONS).map(({ text, at }, index) => {
    const version = Math.max(0, latest - VERSIONS) + index + 1;
    return { text, version, kind: version === 1 ? "create" : "edit", model_id: modelId, created_at: at };
  });
  const [first, last] = [storedVersions[0], storedVersions.at(-1)];
  if (!first || !last) return "It is empty.";
  const row = { id, title, preview: previewOf(last.text), version: latest, created_at: first.created_at, updated_at: last.created_at };
  return importExternalArtifact(importing, row, storedVersions);
}

/** A call as one of ours: what it wrote, and which version came of it. */
function callOf({ input, version }: Step, { id, title, versions }: Artifact & { id: string }): ImportedCall {
  const fullText = textOrNull(input.content) !== null && version === 1;
  const old = textOrNull(input.old_str);
  const args = fullText
    ? { title, content: versions[version - 1]?.text ?? "" }
    : {
        artifact_id: id,
        edits: [
          {
            old_text: old ?? versions[version - 2]?.text ?? "",
            new_text: old === null ? (versions[version - 1]?.text ?? "") : (textOrNull(input.new_str) ?? ""),
          },
        ],
      };
  const output = { artifact_id: id, title, version, ...(version > 1 && { previous_version: version - 1 }) };
  return { tool: fullText ? "createArtifact" : "editArtifact", arguments: JSON.stringify(args), output: JSON.stringify(output) };
}
