import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { getQuotas } from "#shared/contracts/account/quotas.ts";
import { deleteKnowledge, deleteKnowledgeFile, getKnowledge, listKnowledge, updateKnowledge } from "#shared/contracts/library/knowledge.ts";
import { getSharedKnowledge, importSharedKnowledge, removeKnowledgeLink, shareKnowledge } from "#shared/contracts/library/share-links.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { indexed, make, makeTeam, sendKnowledgeFile, read, readKnowledgeEntry, addKnowledgeFile } from "#test/support/knowledge.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";

const list = async (client: Client) => (await client.take(listKnowledge, {})).contexts;

it("knowledge shared with a team is used by all, changed by its creator, deleted by its creator or an admin, and goes with whoever leaves", async () => {
  const [admin, creator, member] = [await signIn(), await signIn(), await signIn()];
  const team = await makeTeam(admin, creator, member);
  const { id } = await make(creator);
  const params = { id };
  await creator.take(updateKnowledge, { params, body: { team_id: team } });
  for (const reader of [admin, member]) {
    expect(await readKnowledgeEntry(reader, id)).toMatchObject({ team_id: team, user_id: creator.user.id });
    expect(await reader.call(updateKnowledge, { params, body: { name: "Mine" } })).toMatchObject({ status: 403 });
    expect(await reader.call(shareKnowledge, { params })).toMatchObject({ status: 403 });
    expect(await sendKnowledgeFile(reader, id, { name: "a.txt", body: "text" })).toMatchObject({ status: 403 });
  }
  expect(await member.call(deleteKnowledge, { params })).toMatchObject({ status: 403 });
  await env.DB.prepare("UPDATE teams SET content_admin_only = 1 WHERE id = ?").bind(team).run();
  expect(await creator.call(updateKnowledge, { params, body: { name: "Mine" } })).toMatchObject({
    status: 403,
    error: { error: "Only admins of its team can edit this knowledge entry." },
  });
  expect(await sendKnowledgeFile(member, id, { name: "a.txt", body: "text" })).toMatchObject({ status: 403 });
  await admin.take(updateKnowledge, { params, body: { name: "By the admin", text_content: "What admins know." } });
  const file = await addKnowledgeFile(admin, id, { name: "a.txt", body: "Nine rooms." });
  await admin.take(shareKnowledge, { params });
  expect(await read(member, id)).toMatchObject({
    name: "By the admin",
    text_content: "What admins know.",
    user_id: creator.user.id,
    user_context_files: [{ id: file.id, sync_status: "synced" }],
  });
  const isExternal = await env.DB.prepare("SELECT is_untrusted FROM user_contexts WHERE id = ?").bind(id).first("is_untrusted");
  expect(isExternal).toBe(1);
  const storedBytes = async () => (await creator.take(getQuotas, {})).storage.used;
  expect(await storedBytes()).toBeGreaterThan(0);
  await admin.take(deleteKnowledgeFile, { params: { ...params, fileId: file.id } });
  expect(await storedBytes()).toBe(0);
  await admin.take(deleteKnowledge, { params });
  expect(await creator.call(getKnowledge, { params })).toMatchObject({ status: 404 });
});

describe("shared by link", () => {
  async function share(client: Client, id: string): Promise<string> {
    const { shareUrl } = await client.take(shareKnowledge, { params: { id } });
    return new URL(shareUrl).searchParams.get("share_context") ?? "";
  }

  it("knowledge shared by link shows names, types and sizes of files, never what is in them, and an import copies them in the background", async () => {
    const [owner, reader] = [await signIn(), await signIn()];
    const { id, created_at: createdAt } = await make(owner, { name: "Reading rooms", text_content: "What we learned." });
    const file = await addKnowledgeFile(owner, id, { name: "Report.txt", body: "Nine rooms." });
    const token = await share(owner, id);
    const { context } = await visitor().take(getSharedKnowledge, { params: { token } });
    expect(context).toEqual({
      name: "Reading rooms",
      textContent: "What we learned.",
      createdAt,
      filesCount: 1,
      files: [{ file_name: "Report.txt", file_type: "text/plain", file_size: 11 }],
    });
    expect((await reader.fetch(file.file_url)).status).toBe(404);
    expect(await visitor().call(importSharedKnowledge, { params: { token } })).toMatchObject({ status: 401 });
    const made = await reader.take(importSharedKnowledge, { params: { token } });
    expect(made.message).toBe("The knowledge was imported.");
    const copy = await read(reader, made.id);
    expect(copy).toMatchObject({
      name: "Reading rooms",
      text_content: "What we learned.",
      user_id: reader.user.id,
      team_id: null,
      user_context_files: [{ file_name: "Report.txt", is_stored: true, sync_status: "synced", user_id: reader.user.id }],
    });
    expect(await (await reader.fetch(copy.user_context_files[0]?.file_url ?? "")).text()).toBe("Nine rooms.");
    // An import that broke off before its text was in the index puts it there when it is asked for again.
    await until("the text in the index", async () => (await indexed(made.id)).includes(made.id));
    await indexOf(env, made.id).remove(made.id);
    expect(await reader.take(importSharedKnowledge, { params: { token } })).toMatchObject({
      id: made.id,
      message: "You have this knowledge already.",
    });
    await until("the text in the index again", async () => (await indexed(made.id)).includes(made.id));
    expect(await list(reader)).toHaveLength(1);
    // The copy is its own.
    await owner.take(deleteKnowledge, { params: { id } });
    expect(await visitor().call(getSharedKnowledge, { params: { token } })).toMatchObject({
      status: 404,
      error: { error: "Shared knowledge not found" },
    });
    expect(await (await reader.fetch(copy.user_context_files[0]?.file_url ?? "")).text()).toBe("Nine rooms.");
  });

  it("another kind's link, an older one and a removed one open nothing", async () => {
    const owner = await signIn();
    const { id } = await make(owner);
    const old = await share(owner, id);
    const token = await share(owner, id);
    const refused = { status: 404, error: { error: "Shared knowledge not found" } };
    expect(await visitor().call(getSharedKnowledge, { params: { token: old } })).toMatchObject(refused);
    expect(await visitor().fetch(`/api/shared/system-prompts/${token}`)).toMatchObject({ status: 404 });
    await owner.take(removeKnowledgeLink, { params: { id } });
    expect(await visitor().call(getSharedKnowledge, { params: { token } })).toMatchObject(refused);
  });
});
