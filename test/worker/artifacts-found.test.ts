import { afterEach, expect, it, vi } from "vitest";
import * as contracts from "#shared/contracts/artifacts.ts";
import { search } from "#shared/contracts/search.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";

afterEach(() => void vi.useRealTimers());

async function make(person: Person, content = "one\n\ntwo\n\nthree", title = "Plan"): Promise<string> {
  return (await person.take(contracts.createArtifact, { body: { title, content } })).id;
}

const read = async (person: Person, id: string) => (await person.take(contracts.getArtifact, { params: { id } })).artifact;
const save = (person: Person, id: string, content: string, base: number) =>
  person.call(contracts.putArtifactContent, { params: { id }, body: { content, base_version: base } });

/** An artifact with a second writer. */
async function together() {
  const [owner, editor] = [await signIn(), await signIn()];
  const id = await make(owner);
  const input = { type: "user", email: editor.email, permissionLevel: "editor" } as const;
  await owner.take(contracts.shareArtifact, { params: { id }, body: input });
  return { owner, editor, id };
}

it("an artifact remembers for each account up to which version it reviewed the changes, never back", async () => {
  const { owner, editor, id } = await together();
  await save(owner, id, "b", 1);
  const review = (person: Person, version: number) =>
    person.take(contracts.updateArtifact, { params: { id }, body: { reviewed_version: version } });
  expect((await review(editor, 9)).artifact).toMatchObject({ reviewed_version: 2 });
  await review(editor, 1);
  expect(await read(editor, id)).toMatchObject({ reviewed_version: 2, version: 2 });
  expect(await read(owner, id)).toMatchObject({ reviewed_version: null });
});

it("an artifact remembers for each account how far the review of a change came", async () => {
  const { owner, editor, id } = await together();
  const review = { version: 2, before: 1, base: 3, accepted: [1], rejected: [0], is_done: false };
  const call = (changed: object) => editor.call(contracts.updateArtifact, { params: { id }, body: { review: { ...review, ...changed } } });
  expect((await read(editor, id)).review).toBeNull();
  await save(owner, id, "b", 1);
  // No review is of versions that are not there yet.
  expect(await call({})).toMatchObject({ status: 400, error: { error: "This artifact has no such version." } });
  await save(editor, id, "c", 2);
  await editor.take(contracts.updateArtifact, { params: { id }, body: { review } });
  expect(await read(editor, id)).toMatchObject({ review });
  expect(await read(owner, id)).toMatchObject({ review: null });
  for (const broken of [{ base: 0 }, { version: 4 }, { accepted: [5_001] }, { rejected: [1e15] }])
    expect(await call(broken)).toMatchObject({ status: 400 });
  expect(await read(editor, id)).toMatchObject({ review });
});

it("an artifact remembers the last version that each looked at, whatever an older tab says later", async () => {
  const { owner, editor, id } = await together();
  await save(owner, id, "b", 1);
  const look = (version: number) => editor.take(contracts.openedArtifact, { params: { id }, body: { version } });
  await look(2);
  await look(1);
  expect(await read(editor, id)).toMatchObject({ seen_version: 2 });
});

it("an artifact is found by title and text with the passage that matched, by those who may read it now", async () => {
  const { owner, editor, id } = await together();
  await save(owner, id, `${"x\n".repeat(500)}The heron nests in März.`, 1);
  const find = async (person: Person, q: string) => (await person.take(search, { query: { q, kind: "artifact" } })).artifacts ?? [];
  expect(await find(owner, "heron")).toMatchObject([
    { id, title: { text: "Plan" }, snippet: { text: expect.stringContaining("heron nests") } },
  ]);
  expect(await find(editor, "plan heron")).toMatchObject([{ id }]);
  expect((await owner.take(search, { query: { q: "heron" } })).artifacts).toMatchObject([{ id }]);
  expect(await find(await signIn(), "heron")).toEqual([]);
  const { userShares } = await owner.take(contracts.listArtifactShares, { params: { id } });
  await owner.take(contracts.removeArtifactShare, { params: { id, shareId: userShares[0]?.id ?? "" } });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2_000 });
  expect(await find(editor, "heron")).toEqual([]);
  await save(owner, id, "The stork.", 2);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2_000 });
  expect(await find(owner, "heron")).toEqual([]);
  expect(await find(owner, "stork")).toMatchObject([{ id }]);
});

it("an artifact is found in the workspaces whose lists show it, and at once after a change", async () => {
  const [owner, member] = [await signIn(), await signIn()];
  const teamId = await makeTeam("Team", [owner, member]);
  const own = await make(owner, "The heron of my own", "Mine");
  const team = await make(owner, "The heron of the team", "Ours");
  await owner.take(contracts.shareArtifact, { params: { id: team }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  const find = async (person: Person, workspace: string, kind?: "artifact") => {
    const { artifacts = [] } = await person.take(search, { query: { q: "heron", workspace, ...(kind && { kind }) } });
    return artifacts.map(({ id }) => id);
  };
  for (const kind of ["artifact", undefined] as const) {
    expect(new Set(await find(owner, "all", kind))).toEqual(new Set([own, team]));
    expect(await find(owner, "personal", kind)).toEqual([own]);
    expect(await find(owner, teamId, kind)).toEqual([team]);
    expect(await find(member, teamId, kind)).toEqual([team]);
    expect(await find(member, "personal", kind)).toEqual([]);
  }
  await save(owner, own, "The stork of my own", 1);
  await until("the changed text is found no more", async () => (await find(owner, "personal")).length === 0);
});
