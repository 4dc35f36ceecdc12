import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import * as contracts from "#shared/contracts/artifacts.ts";
import { png } from "#test/support/pictures.ts";
import { type Person, refusal, signIn } from "#test/support/worker.ts";
import { tidyArtifactJob } from "#worker/library/artifacts/thin-versions.ts";

const HOUR = 60 * 60_000;

afterEach(() => void vi.useRealTimers());

const save = (person: Person, id: string, content: string, base: number) =>
  person.call(contracts.putArtifactContent, { params: { id }, body: { content, base_version: base } });
const texts = async (id: string) => (await env.FILES.list({ prefix: `artifacts/${id}/` })).objects.length;

it("an artifact keeps the texts that a sitting's saves replaced for saves begun from them, and not for good", async () => {
  const person = await signIn();
  const { id } = await person.take(contracts.createArtifact, { body: { content: "" } });
  for (let version = 1; version <= 5; version += 1) await save(person, id, `line ${version}`, version);
  expect(await texts(id)).toBe(6);
  await tidyArtifactJob.receive(env, { artifactId: id }, 1);
  expect(await texts(id)).toBe(6);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * HOUR });
  await tidyArtifactJob.receive(env, { artifactId: id }, 1);
  expect(await texts(id)).toBe(1);
  expect((await person.take(contracts.getArtifact, { params: { id } })).artifact).toMatchObject({ content: "line 5", version: 6 });
  expect((await person.take(contracts.listArtifactVersions, { params: { id } })).versions).toHaveLength(1);
  // What was begun from a text that is gone overwrites nothing unseen.
  expect(refusal(await save(person, id, "from long ago", 2))).toBe("ARTIFACT_CONFLICT");
});

it("an artifact's versions beyond a hundred are thinned to the last of each day, with their texts", async () => {
  const person = await signIn();
  const { id } = await person.take(contracts.createArtifact, { body: { content: "begun" } });
  const start = Date.parse("2026-01-01T00:00:00.000Z");
  // Two a day for a while, each in a sitting of its own.
  for (let place = 0; place < 120; place += 1) {
    vi.useFakeTimers({ toFake: ["Date"], now: start + place * 12 * HOUR });
    await env.DB.prepare(
      `INSERT INTO artifact_versions (artifact_id, version, kind, body, size, author_id, begun_at, created_at)
       VALUES (?1, ?2, 'edit', ?3, 1, ?4, ?5, ?5)`,
    )
      .bind(id, place + 2, `body-${place}`, person.user.id, new Date().toISOString())
      .run();
  }
  await env.DB.prepare("UPDATE artifacts SET version = 121, body = 'body-119' WHERE id = ?").bind(id).run();
  await tidyArtifactJob.receive(env, { artifactId: id }, 1);
  const { results } = await env.DB.prepare("SELECT version, created_at FROM artifact_versions WHERE artifact_id = ? ORDER BY version DESC")
    .bind(id)
    .all<{ version: number; created_at: string }>();
  const days = results.slice(100).map(({ created_at: at }) => at.slice(0, 10));
  expect(results[99]?.version).toBe(22);
  expect(new Set(days).size).toBe(days.length);
  expect(days.length).toBeGreaterThanOrEqual(10);
});

it("a save by who lost the right while they wrote is refused, and what stands there stays", async () => {
  const [owner, editor] = [await signIn(), await signIn()];
  const { id } = await owner.take(contracts.createArtifact, { body: { content: "one" } });
  const share = (permissionLevel: "viewer" | "editor") =>
    owner.take(contracts.shareArtifact, { params: { id }, body: { type: "user", email: editor.email, permissionLevel } });
  await share("editor");
  expect(await save(editor, id, "two", 1)).toMatchObject({ status: 200 });
  await share("viewer");
  expect(refusal(await save(editor, id, "three", 2))).toBe("FORBIDDEN");
  const { userShares } = await owner.take(contracts.listArtifactShares, { params: { id } });
  await owner.take(contracts.removeArtifactShare, { params: { id, shareId: userShares[0]?.id ?? "" } });
  expect(refusal(await save(editor, id, "four", 2))).toBe("NOT_FOUND");
  const picture = `/api/artifacts/${id}/files/${crypto.randomUUID()}?name=a.png`;
  expect((await editor.fetch(picture, { method: "PUT", body: png(2, 2) })).status).toBe(404);
  expect((await owner.take(contracts.getArtifact, { params: { id } })).artifact).toMatchObject({ content: "two", version: 2 });
});
