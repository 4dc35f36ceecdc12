import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import * as contracts from "#shared/contracts/artifacts.ts";
import type { ArtifactFilter, ArtifactSort } from "#shared/entities/library/artifact-list.ts";
import type { ShareLevel } from "#shared/entities/share.ts";
import { ARTIFACT_BYTES } from "#shared/limits.ts";
import { explainText } from "#test/support/explain.ts";
import { photo, png } from "#test/support/pictures.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { type Person, refusal, signIn, visit, visitor } from "#test/support/worker.ts";
import { saveArtifact } from "#worker/library/artifacts/save.ts";
import { openDatabase } from "#worker/platform/db/client.ts";

const LINES = "one\n\ntwo\n\nthree";
const MINUTE = 60_000;

afterEach(() => void vi.useRealTimers());

async function make(person: Person, content = LINES, title = "Plan"): Promise<string> {
  return (await person.take(contracts.createArtifact, { body: { title, content } })).id;
}

const read = async (person: Person, id: string) => (await person.take(contracts.getArtifact, { params: { id } })).artifact;
const save = (person: Person, id: string, content: string, base: number) =>
  person.call(contracts.putArtifactContent, { params: { id }, body: { content, base_version: base } });
const share = (owner: Person, id: string, { email }: Person, permissionLevel: ShareLevel) =>
  owner.take(contracts.shareArtifact, { params: { id }, body: { type: "user", email, permissionLevel } });
const history = async (person: Person, id: string) => (await person.take(contracts.listArtifactVersions, { params: { id } })).versions;
const stored = async (id: string) => (await env.FILES.list({ prefix: `artifacts/${id}/` })).objects.length;
const list = async (person: Person, query: { workspace?: string; filter?: ArtifactFilter; sort?: ArtifactSort } = {}) =>
  (await person.take(contracts.listArtifacts, { query })).artifacts.map(({ title }) => title);

/** An artifact with a second writer. */
async function together() {
  const [owner, editor] = [await signIn(), await signIn()];
  const id = await make(owner);
  await share(owner, id, editor, "editor");
  return { owner, editor, id };
}

it("an artifact is made without a title, read, renamed and pinned by each for themselves", async () => {
  const { owner, editor, id } = await together();
  const { artifact } = await owner.take(contracts.createArtifact, { body: { title: " ", content: "" } });
  expect(artifact).toMatchObject({
    title: "Untitled Artifact",
    content_preview: "",
    version: 1,
    is_owner: true,
    permission_level: "owner",
  });
  await editor.take(contracts.updateArtifact, { params: { id }, body: { title: "Renamed", is_pinned: true } });
  expect(await read(owner, id)).toMatchObject({ title: "Renamed", content: LINES, is_pinned: false, is_shared: true });
  const { email, user } = owner;
  const shown = { is_pinned: true, is_owner: false, permission_level: "editor", shared_by_email: email, shared_by_name: user.display_name };
  expect(await read(editor, id)).toMatchObject(shown);
});

it("what two people saved at once is taken together where they touch different lines", async () => {
  const { owner, editor, id } = await together();
  expect(await save(owner, id, LINES.replace("one", "ONE"), 1)).toMatchObject({ body: { version: 2, content: null } });
  const merged = "ONE\n\ntwo\n\nTHREE";
  expect(await save(editor, id, LINES.replace("three", "THREE"), 1)).toMatchObject({ body: { version: 3, content: merged } });
  expect(await read(owner, id)).toMatchObject({ content: merged, version: 3 });
  expect(await history(owner, id)).toMatchObject([
    { version: 3, kind: "merge", author_id: editor.user.id },
    { version: 2, kind: "edit", author_id: owner.user.id },
    { version: 1, kind: "create" },
  ]);
});

it("a save overwrites nothing where both touch the same line, and is answered with what stands there now", async () => {
  const { owner, editor, id } = await together();
  await save(owner, id, LINES.replace("two", "the owner's"), 1);
  const body = JSON.stringify({ content: LINES.replace("two", "the editor's"), base_version: 1 });
  const answer = await editor.fetch(`/api/artifacts/${id}/content`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body,
  });
  expect(answer.status).toBe(409);
  const conflict = contracts.ArtifactConflict.parse(await answer.json());
  expect(conflict.current).toMatchObject({
    version: 2,
    content: LINES.replace("two", "the owner's"),
    author_name: owner.user.display_name,
  });
  expect(await read(editor, id)).toMatchObject({ version: 2 });
});

it("none of many saves at once is lost", async () => {
  const { owner, editor, id } = await together();
  const words = ["one", "two", "three"];
  const saved = await Promise.all(
    words.map((word, place) => save(place % 2 === 0 ? owner : editor, id, LINES.replace(word, word.toUpperCase()), 1)),
  );
  expect(saved.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await read(owner, id)).content).toBe(LINES.toUpperCase());
});

it("one author's saves of ten minutes count as one version, and those of others and later ones stay", async () => {
  const { owner, editor, id } = await together();
  await save(owner, id, "a", 1);
  await save(owner, id, "ab", 2);
  await save(owner, id, "abc", 3);
  expect((await history(owner, id)).map(({ version }) => version)).toEqual([4, 1]);
  // Whoever began from one that is no part of the history still loses nothing.
  expect(await save(editor, id, "ab\n\nbelow", 3)).toMatchObject({ status: 409 });
  await save(editor, id, "abcd", 4);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * MINUTE });
  await save(editor, id, "abcde", 5);
  expect((await history(owner, id)).map(({ version }) => version)).toEqual([6, 5, 4, 1]);
});

it("an artifact goes back to an earlier version by a further one, and not twice", async () => {
  const owner = await signIn();
  const id = await make(owner, "First.");
  await save(owner, id, "Then.", 1);
  const params = { id };
  const { artifact } = await owner.take(contracts.restoreArtifact, { params, body: { version: 1 } });
  expect(artifact).toMatchObject({ version: 3, content: "First." });
  expect((await owner.take(contracts.restoreArtifact, { params, body: { version: 1 } })).artifact.version).toBe(3);
  expect(await history(owner, id)).toMatchObject([{ version: 3, kind: "restore", restored_from: 1 }, { version: 2 }, { version: 1 }]);
  const { version } = await owner.take(contracts.getArtifactVersion, { params: { id, version: 2 }, query: {} });
  expect(version).toMatchObject({ content: "Then." });
});

it("an artifact knows what a reader last looked at, and finds the closest version that is stored", async () => {
  const { owner, editor, id } = await together();
  expect(await read(editor, id)).toMatchObject({ seen_version: null });
  await editor.take(contracts.openedArtifact, { params: { id }, body: { version: 1 } });
  await save(owner, id, "a", 1);
  await save(owner, id, "ab", 2);
  expect(await read(editor, id)).toMatchObject({ seen_version: 1, version: 3 });
  const { version } = await owner.take(contracts.getArtifactVersion, { params: { id, version: 2 }, query: { nearest: "true" } });
  expect(version).toMatchObject({ version: 1, content: LINES });
});

it("a viewer may only read an artifact, a stranger nothing, and its owner alone shares and deletes it", async () => {
  const [owner, viewer, stranger] = [await signIn(), await signIn(), await signIn()];
  const id = await make(owner);
  const { userShares } = await share(owner, id, viewer, "viewer");
  expect(await read(viewer, id)).toMatchObject({ content: LINES, permission_level: "viewer" });
  const { email } = stranger;
  const input = { type: "user", email, permissionLevel: "viewer" } as const;
  const refused = [
    await save(viewer, id, "x", 1),
    await viewer.call(contracts.updateArtifact, { params: { id }, body: { title: "x" } }),
    await viewer.call(contracts.restoreArtifact, { params: { id }, body: { version: 1 } }),
    await viewer.call(contracts.shareArtifact, { params: { id }, body: input }),
    await viewer.call(contracts.deleteArtifact, { params: { id } }),
  ];
  expect(refused.map(refusal)).toEqual(refused.map(() => "FORBIDDEN"));
  const hidden = [
    await save(stranger, id, "x", 1),
    await stranger.call(contracts.getArtifact, { params: { id } }),
    await stranger.call(contracts.getArtifactVersion, { params: { id, version: 1 }, query: {} }),
    await stranger.call(contracts.listArtifactVersions, { params: { id }, query: {} }),
    await stranger.call(contracts.listArtifactShares, { params: { id } }),
    await stranger.call(contracts.deleteArtifact, { params: { id } }),
  ];
  expect(hidden.map(refusal)).toEqual(hidden.map(() => "NOT_FOUND"));
  const seen = await viewer.take(contracts.listArtifactShares, { params: { id } });
  expect(seen.creator.email).toBe("");
  await viewer.take(contracts.removeArtifactShare, { params: { id, shareId: userShares[0]?.id ?? "" } });
  expect(refusal(await viewer.call(contracts.getArtifact, { params: { id } }))).toBe("NOT_FOUND");
});

it("an artifact that is shared with a team is read by its members, whose admins alone write where content is theirs", async () => {
  const [admin, member] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Team", [admin, member]);
  const id = await make(admin);
  const input = { type: "team", teamId, permissionLevel: "editor" } as const;
  const { teamShares } = await admin.take(contracts.shareArtifact, { params: { id }, body: input });
  expect(await read(member, id)).toMatchObject({
    permission_level: "editor",
    is_team_share: true,
    shared_by_name: admin.user.display_name,
  });
  await env.DB.prepare("UPDATE teams SET content_admin_only = 1 WHERE id = ?").bind(teamId).run();
  expect(refusal(await save(member, id, "x", 1))).toBe("FORBIDDEN");
  const own = await make(member);
  expect(refusal(await member.call(contracts.shareArtifact, { params: { id: own }, body: input }))).toBe("TEAM_ADMINS_ONLY");
  await admin.take(contracts.removeArtifactTeamShare, { params: { id, shareId: teamShares[0]?.id ?? "" } });
  expect(refusal(await member.call(contracts.getArtifact, { params: { id } }))).toBe("NOT_FOUND");
});

it("artifacts are listed by workspace, filter and order, in pages", async () => {
  const [owner, other] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Team", [other, owner]);
  const [b] = [await make(owner, "", "b"), await make(owner, "", "A")];
  const team = await make(other, "", "team's");
  await other.take(contracts.shareArtifact, { params: { id: team }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  await share(other, await make(other, "", "given"), owner, "viewer");
  await owner.take(contracts.updateArtifact, { params: { id: b }, body: { is_pinned: true } });
  expect(await list(owner)).toEqual(["given", "team's", "A", "b"]);
  expect(await list(owner, { sort: "title" })).toEqual(["A", "b", "given", "team's"]);
  expect(await list(owner, { workspace: "personal" })).toEqual(["given", "A", "b"]);
  expect(await list(owner, { workspace: teamId })).toEqual(["team's"]);
  expect(await list(owner, { filter: "owned" })).toEqual(["A", "b"]);
  expect(await list(owner, { filter: "shared" })).toEqual(["given", "team's"]);
  expect(await list(owner, { filter: "pinned" })).toEqual(["b"]);
  for (const sort of ["updated", "created", "title"] as const) {
    const first = await owner.take(contracts.listArtifacts, { query: { limit: 3, sort } });
    const rest = await owner.take(contracts.listArtifacts, { query: { limit: 3, sort, cursor: first.nextCursor ?? "" } });
    expect([...first.artifacts, ...rest.artifacts].map(({ title }) => title)).toEqual(await list(owner, { sort }));
    expect(rest.nextCursor).toBeNull();
  }
});

it("markdown files become artifacts of whoever the session says, whatever the body claims", async () => {
  const [person, other] = [await signIn(), await signIn()];
  const body = { filename: "Plan.md", content: "# Plan\n\nFirst **this**.", userId: other.user.id, isAuthenticated: false };
  const { artifact } = await person.take(contracts.uploadMarkdown, { body });
  expect(artifact.title).toBe("Plan");
  expect(await read(person, artifact.id)).toMatchObject({ content_preview: "Plan First this.", is_owner: true });
  expect(await list(other)).toEqual([]);
  const wrong = await person.call(contracts.uploadMarkdown, { body: { filename: "plan.pdf", content: "x" } });
  expect(wrong).toMatchObject({ status: 400, error: { error: "Invalid file type. Allowed: .md, .markdown, .mdx, .txt" } });
  expect(await visitor().call(contracts.uploadMarkdown, { body })).toMatchObject({ status: 401 });
});

it("an artifact holds 1 MB at most by every door", async () => {
  const person = await signIn();
  const id = await make(person);
  const [most, more] = ["é".repeat(ARTIFACT_BYTES / 2), `${"é".repeat(ARTIFACT_BYTES / 2)}.`];
  const upload = await person.call(contracts.uploadMarkdown, { body: { filename: "a.md", content: more } });
  expect(upload).toMatchObject({ status: 413, error: { error: "File too large. Maximum file size is 1MB" } });
  expect(await person.call(contracts.createArtifact, { body: { content: more } })).toMatchObject({ status: 400 });
  expect(await save(person, id, more, 1)).toMatchObject({ status: 400 });
  expect(await save(person, id, most, 1)).toMatchObject({ status: 200 });
});

it("an artifact stores pictures, recognised by their bytes, under ids alone, for its readers alone", async () => {
  const [owner, stranger] = [await signIn(), await signIn()];
  const id = await make(owner);
  const put = (name: string, body: BodyInit, fileId: string = crypto.randomUUID()) =>
    owner.fetch(`/api/artifacts/${id}/files/${fileId}?name=${encodeURIComponent(name)}`, { method: "PUT", body });
  const fileId = crypto.randomUUID();
  expect((await put("../../../etc/passwd.png", png(2, 2), fileId)).status).toBe(201);
  const shown = await owner.fetch(`/api/artifacts/${id}/files/${fileId}`);
  expect(shown.headers.get("content-type")).toBe("image/png");
  expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
  expect(shown.headers.get("content-security-policy")).toContain("sandbox");
  expect((await env.FILES.list({ prefix: `artifacts/${id}/files/` })).objects.map(({ key }) => key)).toEqual([
    `artifacts/${id}/files/${fileId}`,
  ]);
  expect((await stranger.fetch(`/api/artifacts/${id}/files/${fileId}`)).status).toBe(404);
  const taken = crypto.randomUUID();
  expect((await put("sea.jpg", photo("jpeg"), taken)).status).toBe(201);
  expect(await (await owner.fetch(`/api/artifacts/${id}/files/${taken}`)).text()).not.toContain("DEG");
  const huge = await put("a.png", png(60_000, 60_000));
  expect([huge.status, (await huge.json<{ error: string }>()).error]).toEqual([413, "A picture may have up to 50 megapixels."]);
  for (const hostile of ["<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "<html><script>alert(1)</script>", "%PDF-1.7"])
    expect((await put("a.png", hostile)).status).toBe(415);
  expect((await put("a.png", new Uint8Array(5 * 1024 * 1024 + 1))).status).toBe(413);
});

it("an artifact is gone with all its texts and pictures once it is deleted", async () => {
  const { owner, editor, id } = await together();
  await save(owner, id, "a", 1);
  expect(await stored(id)).toBeGreaterThan(1);
  await owner.take(contracts.deleteArtifact, { params: { id } });
  expect(await stored(id)).toBe(0);
  expect(refusal(await editor.call(contracts.getArtifact, { params: { id } }))).toBe("NOT_FOUND");
  const left = await env.DB.prepare("SELECT count(*) AS n FROM artifact_versions WHERE artifact_id = ?").bind(id).first<number>("n");
  expect(left).toBe(0);
});

it("documents are shown in a frame of an opaque origin that nothing leaves, and that gets no cookie", async () => {
  const answer = await visit("/artifact-frame");
  expect(answer.headers.get("content-security-policy")).toBe(
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' data:; worker-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self', script-src 'nonce-preview'; script-src-attr 'unsafe-inline'",
  );
  expect(answer.headers.get("connection-allowlist")).toBe("()");
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await answer.text()).toContain("source !== page");
});

it("artifacts are listed by indexes alone, also what a team shares", async () => {
  const person = await signIn();
  await makeTeam("Team", [person]);
  const steps = await explainText(() => list(person));
  expect(steps.filter((step) => /^SCAN (?:a|w|artifacts|artifact_shares|artifact_team_shares)\b/.test(step))).toEqual([]);
  expect(steps.join("\n")).toMatch(/artifacts_by_update[\s\S]*artifact_shares_by_user[\s\S]*artifact_team_shares_by_team/);
});

it("what each team of a person of many teams shares is listed once", async () => {
  const [person, other] = [await signIn(), await signIn()];
  const teamIds = await Promise.all(Array.from({ length: 6 }, (_, place) => makeTeam(`Team ${place}`, [other, person])));
  const id = await make(other, "", "shared");
  for (const teamId of teamIds)
    await other.take(contracts.shareArtifact, { params: { id }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  expect(await list(person)).toEqual(["shared"]);
  expect(await list(person, { sort: "title", filter: "shared" })).toEqual(["shared"]);
});

it("artifacts are found by the words of a long query in their titles, whatever the case", async () => {
  const person = await signIn();
  await make(person, "", "Ärger im ÖPNV");
  const find = async (q: string) => (await person.take(contracts.listArtifacts, { query: { q } })).artifacts.map(({ title }) => title);
  expect(await find("ÖPNV IM")).toEqual(["Ärger im ÖPNV"]);
  expect(await find("i ".repeat(100))).toEqual(["Ärger im ÖPNV"]);
});

it("an artifact stores a picture whose bytes did not come through the first time", async () => {
  const owner = await signIn();
  const id = await make(owner);
  const path = `/api/artifacts/${id}/files/${crypto.randomUUID()}`;
  const put = () => owner.fetch(`${path}?name=a.png`, { method: "PUT", body: png(2, 2) });
  expect((await put()).ok).toBe(true);
  await env.FILES.delete((await env.FILES.list({ prefix: `artifacts/${id}/files/` })).objects.map(({ key }) => key));
  expect((await owner.fetch(path)).status).toBe(404);
  expect((await put()).ok).toBe(true);
  expect((await owner.fetch(path)).status).toBe(200);
});

it("an artifact stores lines as line feeds, so a text of another system merges with this one's", async () => {
  const { owner, editor, id } = await together();
  await save(owner, id, LINES.replace("one", "ONE"), 1);
  const others = LINES.replace("three", "THREE").replaceAll("\n", "\r\n");
  expect(await save(editor, id, others, 1)).toMatchObject({ status: 200, body: { content: "ONE\n\ntwo\n\nTHREE" } });
  expect((await read(owner, await make(owner, "a\r\nb\rc"))).content).toBe("a\nb\nc");
});

it("a person has one share of an artifact, whichever of their addresses it goes by", async () => {
  const { owner, editor, id } = await together();
  // As after a change of address: the share still has the one before.
  await env.DB.prepare("UPDATE artifact_shares SET email = 'former@example.com' WHERE artifact_id = ?").bind(id).run();
  const { userShares } = await share(owner, id, editor, "viewer");
  expect(userShares).toMatchObject([{ userId: editor.user.id, permissionLevel: "viewer" }]);
  await env.DB.prepare(
    "INSERT INTO artifact_shares SELECT 'invited', artifact_id, NULL, ?, 'viewer', shared_by, created_at, updated_at FROM artifact_shares WHERE artifact_id = ?",
  )
    .bind(editor.email, id)
    .run();
  expect((await share(owner, id, editor, "editor")).userShares).toMatchObject([{ userId: editor.user.id, permissionLevel: "editor" }]);
});

it("thousands of lines are merged, and more than can be compared in time is a conflict", async () => {
  const { owner, editor, id } = await together();
  const lines = (count: number, first: string, last: string) =>
    [first, ...Array.from({ length: count }, (_, place) => `line ${place}`), last].join("\n");
  await save(editor, id, lines(5_000, "a", "z"), 1);
  await save(owner, id, lines(5_000, "A", "z"), 2);
  expect(await save(editor, id, lines(5_000, "a", "Z"), 2)).toMatchObject({ status: 200, body: { content: lines(5_000, "A", "Z") } });
  const { owner: writer, editor: another, id: long } = await together();
  await save(writer, long, lines(10_000, "a", "z"), 1);
  await save(another, long, lines(10_000, "A", "z"), 2);
  expect(await save(writer, long, lines(10_000, "a", "Z"), 2)).toMatchObject({ status: 409 });
});

it("a model's version stays a model's where it was merged with another's", async () => {
  const { owner, editor, id } = await together();
  await save(owner, id, LINES.replace("one", "ONE"), 1);
  const model = { modelId: "m", chatId: crypto.randomUUID(), messageId: crypto.randomUUID() };
  const input = { content: LINES.replace("three", "THREE"), base: 1, kind: "model" } as const;
  const saved = await saveArtifact(env, openDatabase(env.DB), { userId: editor.user.id, model }, id, input);
  expect(saved).toMatchObject({ isSaved: true, content: "ONE\n\ntwo\n\nTHREE" });
  expect(await history(owner, id)).toMatchObject([{ kind: "model" }, { kind: "edit" }, { kind: "create" }]);
});
