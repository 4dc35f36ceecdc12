import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import {
  createArtifact,
  deleteArtifact,
  listArtifactShares,
  putArtifactContent,
  removeArtifactShare,
  shareArtifact,
  updateArtifact,
} from "#shared/contracts/artifacts.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { addKnowledgeArtifact, createKnowledge, listKnowledge, removeKnowledgeArtifact } from "#shared/contracts/library/knowledge.ts";
import { readPassage } from "#shared/contracts/library/passages.ts";
import { KNOWLEDGE_ARTIFACTS } from "#shared/limits.ts";
import { purgeArtifactJob } from "#worker/library/artifacts/artifacts.ts";
import { indexArtifactJob } from "#worker/library/knowledge/index-artifact.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { indexed, make, makeTeam, readKnowledgeEntry } from "#test/support/knowledge.ts";
import { CHEAP_MODEL, readReply, textOf } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, type Person, refusal, signIn } from "#test/support/worker.ts";

const HANDBOOK = "# Handbook\n\nHolidays are thirty days a year.\n";

const makeArtifact = async (client: Client, title: string, content: string) =>
  (await client.take(createArtifact, { body: { title, content } })).id;
const add = (client: Client, id: string, artifactId: string) => client.take(addKnowledgeArtifact, { params: { id, artifactId } });
const listed = async (client: Client) => (await client.take(listKnowledge, {})).contexts;
const synced = (client: Client, id: string) =>
  until("the artifacts to be read", async () => {
    const { artifacts } = await readKnowledgeEntry(client, id);
    return artifacts.length > 0 && artifacts.every(({ sync_status: status }) => status === "synced");
  });

/** An entry of this person's with an artifact of another's that was shared with them, read. */
async function withShared(person: Person, team?: string) {
  const owner = await signIn();
  const artifactId = await makeArtifact(owner, "Handbook", HANDBOOK);
  await owner.take(shareArtifact, { params: { id: artifactId }, body: { type: "user", email: person.email, permissionLevel: "viewer" } });
  const { id } = await make(person, team === undefined ? {} : { team_id: team });
  await add(person, id, artifactId);
  await synced(person, id);
  return { owner, artifactId, id };
}

async function ask(client: Client, contexts: string[]) {
  const chatId = crypto.randomUUID();
  const body = { id: crypto.randomUUID(), parent_id: null, content: "How many holidays?\nshow request", model_id: CHEAP_MODEL };
  const turn = await client.take(sendMessage, { params: { id: chatId }, body: { ...body, context_ids: contexts } });
  return { text: textOf(await readReply(client, { chatId, replyId: turn.replyId })), knowledge: turn.knowledge };
}

it("artifacts of an entry are read by a job, stand in the list with the number of them, are found by chats, and leave the index as they leave the entry", async () => {
  const user = await signIn();
  const { id } = await make(user);
  const artifactId = await makeArtifact(user, "Handbook", HANDBOOK);
  const { artifact } = await add(user, id, artifactId);
  expect(artifact).toMatchObject({ artifact_id: artifactId, title: "Handbook", content: HANDBOOK, is_complete: true });
  expect(artifact.preview.length).toBeLessThan(HANDBOOK.length);
  await synced(user, id);
  for (const title of ["Second", "Third"]) await add(user, id, await makeArtifact(user, title, `${title}.`));
  expect(await add(user, id, artifactId)).toEqual({ artifact: { ...artifact, sync_status: "synced" } });
  const [entry] = await listed(user);
  expect(entry).toMatchObject({ artifacts_count: 3, artifacts: [{ artifact_id: artifactId, title: "Handbook" }, { title: "Second" }] });
  const { text, knowledge } = await ask(user, [id]);
  expect(text).toContain("Holidays are thirty days a year.");
  expect(knowledge?.documents.map(({ name }) => name)).toContain("Handbook");
  const passage = { params: { id, documentId: artifactId }, query: { from: 0, to: 10 } };
  expect(await user.take(readPassage, passage)).toMatchObject({ artifact_id: artifactId, file_url: null });
  await user.take(removeKnowledgeArtifact, { params: { id, artifactId } });
  expect(await indexed(id)).not.toContain(artifactId);
  expect(refusal(await user.call(readPassage, passage))).toBe("NOT_FOUND");
  expect((await readKnowledgeEntry(user, id)).artifacts).toHaveLength(2);
});

it("artifacts of an entry are kept up: a new text and a new title take the place of the old ones, once for all saves in between", async () => {
  const user = await signIn();
  const { id } = await make(user);
  const artifactId = await makeArtifact(user, "Handbook", HANDBOOK);
  await add(user, id, artifactId);
  await synced(user, id);
  const params = { id: artifactId };
  await user.take(putArtifactContent, { params, body: { content: "Holidays are forty days.", base_version: 1 } });
  await user.take(putArtifactContent, { params, body: { content: "Holidays are fifty days.", base_version: 2 } });
  await user.take(updateArtifact, { params, body: { title: "New handbook" } });
  const stale = () =>
    env.DB.prepare("SELECT stale_since FROM user_context_artifacts WHERE context_id = ?").bind(id).first<{ stale_since: string | null }>();
  await until("the change to be noted", async () => (await stale())?.stale_since !== null);
  expect((await readKnowledgeEntry(user, id)).artifacts).toMatchObject([{ title: "New handbook", sync_status: "pending" }]);
  expect((await ask(user, [id])).knowledge?.unread).toMatchObject([{ reason: expect.stringContaining("changed a moment ago") }]);
  await indexArtifactJob.receive(env, { contextId: id, artifactId }, 1);
  await synced(user, id);
  expect((await indexOf(env, id).read({ characters: 1_000 })).map(({ text, document }) => [document.name, text])).toEqual([
    ["New handbook", "Holidays are fifty days."],
  ]);
});

it("artifacts of an entry are gone from whoever may not read them any more, and from everybody once they are deleted", async () => {
  const user = await signIn();
  const { owner, artifactId, id } = await withShared(user);
  const params = { id: artifactId };
  expect((await ask(user, [id])).text).toContain("thirty days");
  const { userShares } = await owner.take(listArtifactShares, { params });
  await owner.take(removeArtifactShare, { params: { id: artifactId, shareId: userShares[0]?.id ?? "" } });
  const { text, knowledge } = await ask(user, [id]);
  expect(text).not.toContain("thirty days");
  expect(knowledge?.documents).toEqual([]);
  expect((await readKnowledgeEntry(user, id)).artifacts).toEqual([]);
  expect(await listed(user)).toMatchObject([{ artifacts: [], artifacts_count: 0 }]);
  const passage = { params: { id, documentId: artifactId }, query: { from: 0, to: 10 } };
  expect(refusal(await user.call(readPassage, passage))).toBe("NOT_FOUND");
  await indexArtifactJob.receive(env, { contextId: id, artifactId }, 1);
  expect(await indexed(id)).toEqual([]);
  // Shared again it is read again.
  await owner.take(shareArtifact, { params, body: { type: "user", email: user.email, permissionLevel: "viewer" } });
  await until("the share to be noted", async () => (await readKnowledgeEntry(user, id)).artifacts[0]?.sync_status === "pending");
  await indexArtifactJob.receive(env, { contextId: id, artifactId }, 1);
  expect((await ask(user, [id])).text).toContain("thirty days");
  await owner.take(deleteArtifact, { params });
  expect((await ask(user, [id])).text).not.toContain("thirty days");
  await purgeArtifactJob.receive(env, { artifactId }, 1);
  expect(await indexed(id)).toEqual([]);
});

it("artifacts of an entry whose job never came are read again once their entry is looked at or asked, and one that is gone leaves no row", async () => {
  const user = await signIn();
  const { id } = await make(user);
  const artifactId = await makeArtifact(user, "Handbook", HANDBOOK);
  await add(user, id, artifactId);
  await synced(user, id);
  const lose = async (staleSince: string | null) => {
    await indexOf(env, id).remove(artifactId);
    await env.DB.prepare("UPDATE user_context_artifacts SET indexed_version = NULL, stale_since = ? WHERE context_id = ?")
      .bind(staleSince, id)
      .run();
  };
  for (const staleSince of [null, new Date(Date.now() - 60 * 60_000).toISOString()]) {
    await lose(staleSince);
    expect((await readKnowledgeEntry(user, id)).artifacts).toMatchObject([{ sync_status: "pending" }]);
    await synced(user, id);
    expect(await indexed(id)).toEqual([artifactId]);
  }
  await lose(null);
  expect((await ask(user, [id])).knowledge?.unread).toHaveLength(1);
  await until("the artifact to be read", async () => (await indexed(id)).length === 1);
  // It was added as it was deleted.
  const deletedPair = { contextId: id, artifactId: crypto.randomUUID() };
  await env.DB.prepare("INSERT INTO user_context_artifacts (context_id, artifact_id, created_at) VALUES (?, ?, '')")
    .bind(id, deletedPair.artifactId)
    .run();
  await indexArtifactJob.receive(env, deletedPair, 1);
  const { results } = await env.DB.prepare("SELECT artifact_id FROM user_context_artifacts WHERE context_id = ?").bind(id).all();
  expect(results).toEqual([{ artifact_id: artifactId }]);
});

it("artifacts of an entry of a team's entry are each member's only as far as they may read them", async () => {
  const [user, member] = [await signIn(), await signIn()];
  const team = await makeTeam(user, member);
  const { id, artifactId } = await withShared(user, team);
  expect((await ask(user, [id])).text).toContain("thirty days");
  const { text, knowledge } = await ask(member, [id]);
  expect(text).not.toContain("thirty days");
  expect(JSON.stringify([knowledge, await listed(member), await readKnowledgeEntry(member, id)])).not.toContain("Handbook");
  expect(refusal(await member.call(readPassage, { params: { id, documentId: artifactId }, query: { from: 0, to: 10 } }))).toBe("NOT_FOUND");
  expect(await member.call(addKnowledgeArtifact, { params: { id, artifactId } })).toMatchObject({ status: 403 });
});

it("artifacts of an entry must be readable by whoever adds them, and are 50 of an entry at most", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const { id } = await make(user);
  const artifactId = await makeArtifact(other, "Handbook", HANDBOOK);
  expect(refusal(await user.call(addKnowledgeArtifact, { params: { id, artifactId } }))).toBe("NOT_FOUND");
  expect(refusal(await other.call(addKnowledgeArtifact, { params: { id, artifactId } }))).toBe("NOT_FOUND");
  expect(refusal(await user.call(createKnowledge, { body: { name: "Theirs", artifact_id: artifactId } }))).toBe("NOT_FOUND");
  expect(await listed(user)).toHaveLength(1);
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO user_context_artifacts (context_id, artifact_id, created_at) SELECT ?, 'filler-' || i, '' FROM n`,
  )
    .bind(KNOWLEDGE_ARTIFACTS, id)
    .run();
  const own = await makeArtifact(user, "One too many", "Text.");
  expect(await user.call(addKnowledgeArtifact, { params: { id, artifactId: own } })).toMatchObject({
    status: 400,
    error: { error: "A knowledge entry can have 50 artifacts." },
  });
});

it("artifacts of an entry make an entry of their own in one call", async () => {
  const user = await signIn();
  const artifactId = await makeArtifact(user, "Handbook", HANDBOOK);
  const { context } = await user.take(createKnowledge, { body: { name: "Handbook", artifact_id: artifactId } });
  expect(context).toMatchObject({ name: "Handbook", text_content: "", artifacts: [{ artifact_id: artifactId, title: "Handbook" }] });
  await synced(user, context.id);
  expect((await ask(user, [context.id])).text).toContain("thirty days");
});
