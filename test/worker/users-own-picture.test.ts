import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { listPeople } from "#shared/contracts/chat/sharing.ts";
import { deletePicture, getUser, putPicture, updateUser } from "#shared/contracts/account/users.ts";
import { PROFILE_PICTURE_BYTES, PROFILE_PICTURE_PX } from "#shared/limits.ts";
import { openTab } from "#test/support/live-tab.ts";
import { jpeg, png, webp } from "#test/support/pictures.ts";
import { startChat } from "#test/support/replies.ts";
import { makeTeam, startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visit, visitor } from "#test/support/worker.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";

afterEach(() => void vi.restoreAllMocks());

async function put(client: Client, body: BodyInit): Promise<{ status: number; code?: string; error?: string }> {
  const response = await client.fetch(putPicture.path, { method: "PUT", body });
  return { status: response.status, ...(!response.ok && (await response.json())) };
}

async function pictureOf(client: Client): Promise<string> {
  const { profile_image: path } = (await client.take(getUser, {})).user;
  if (path === null) throw new Error("There is no picture.");
  return path;
}

const stored = async (): Promise<number> => (await env.FILES.list({ prefix: "pictures/" })).objects.length;

it.each([
  ["PNG", png(256, 256), "image/png"],
  ["JPEG", jpeg(512, 512), "image/jpeg"],
  ["WebP with losses", webp("VP8 ", 512, 512), "image/webp"],
  ["WebP without", webp("VP8L", 512, 500), "image/webp"],
  ["extended WebP", webp("VP8X", PROFILE_PICTURE_PX, 300), "image/webp"],
])("one's own picture as %s is kept as what it is, whatever was claimed, and nothing in it can run", async (_what, bytes, type) => {
  const user = await signIn();
  const init = { method: "PUT", body: bytes, headers: { "content-type": "text/html" } };
  expect((await user.fetch(putPicture.path, init)).status).toBe(200);
  const response = await visit(await pictureOf(user));
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": type,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, max-age=31536000, immutable",
  });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
});

it.each<[string, BodyInit, number, string]>([
  ["a drawing", `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, 415, "Choose a PNG, JPEG or WebP picture."],
  ["a page", "<!doctype html><script>alert(1)</script>", 415, "Choose a PNG, JPEG or WebP picture."],
  ["one that moves", "GIF89a\u0001\0\u0001\0", 415, "Choose a PNG, JPEG or WebP picture."],
  ["a header that breaks off", png(9, 9).slice(0, 18), 415, "Choose a PNG, JPEG or WebP picture."],
  ["a JPEG without a frame", Uint8Array.from([0xff, 0xd8, 0xff, 0xd9]), 415, "Choose a PNG, JPEG or WebP picture."],
  ["a WebP of no kind", webp("VP8X", 9, 9).fill(32, 12, 16), 415, "Choose a PNG, JPEG or WebP picture."],
  ["nothing", "", 415, "Choose a PNG, JPEG or WebP picture."],
  ["one that unfolds to a wall", png(30_000, 30_000), 400, "A profile picture may have up to 2,048 pixels a side."],
  ["one without an area", png(0, 9), 400, "A profile picture may have up to 2,048 pixels a side."],
  ["too many bytes", png(9, 9, PROFILE_PICTURE_BYTES), 413, "A profile picture may have up to 1 MB."],
  ["too many bytes of no announced length", streamOf(png(9, 9, PROFILE_PICTURE_BYTES)), 413, "A profile picture may have up to 1 MB."],
])("one's own picture is not %s, and what was there stays", async (_what, body, status, error) => {
  const user = await signIn();
  await put(user, png(9, 9));
  const before = await pictureOf(user);
  const count = await stored();
  expect(await put(user, body)).toMatchObject({ status, error });
  expect(await pictureOf(user)).toBe(before);
  expect(await stored()).toBe(count);
});

it("one's own picture takes the place of the one before, which is gone, and can be removed", async () => {
  const user = await signIn();
  await put(user, png(1, 1));
  const first = await pictureOf(user);
  await put(user, png(2, 2));
  const second = await pictureOf(user);
  expect(second).not.toBe(first);
  expect((await visit(first)).status).toBe(404);
  await user.take(deletePicture, {});
  expect((await visit(second)).status).toBe(404);
  expect((await user.take(getUser, {})).user.profile_image).toBeNull();
  // Again there is nothing to remove.
  await user.take(deletePicture, {});
});

it("one's own picture leaves one file behind when several come at once", async () => {
  const user = await signIn();
  const count = await stored();
  const answers = await Promise.all([png(1, 1), png(2, 2), png(3, 3)].map((bytes) => put(user, bytes)));
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(await stored()).toBe(count + 1);
  expect((await visit(await pictureOf(user))).status).toBe(200);
});

it("one's own picture is one's own alone: nobody sets an address, another's file stays, and guests and visitors have none", async () => {
  const [user, other] = [await signIn(), await signIn()];
  await put(other, png(1, 1));
  const theirs = await pictureOf(other);
  const body = JSON.stringify({ profile_image: theirs });
  await user.fetch(updateUser.path, { method: "PATCH", headers: { "content-type": "application/json" }, body });
  expect((await user.take(getUser, {})).user.profile_image).toBeNull();
  await user.take(deletePicture, {});
  expect((await visit(theirs)).status).toBe(200);
  const guest = visitor();
  await startChat(guest, "say hello", "openai/gpt-5-nano");
  expect(await put(guest, png(1, 1))).toMatchObject({ status: 401, code: "SIGN_IN_REQUIRED" });
  expect(await put(visitor(), png(1, 1))).toMatchObject({ status: 401 });
});

it("one's own picture may be replaced 30 times an hour", async () => {
  const user = await signIn();
  for (let times = 0; times < 30; times += 1) expect((await put(user, png(1, 1))).status).toBe(200);
  expect(await put(user, png(1, 1))).toMatchObject({ status: 429, code: "RATE_LIMITED" });
});

it("one's own picture notifies nobody where there was none to remove, and a name may change 30 times an hour, as each is announced", async () => {
  const user = await signIn();
  const noted = vi.spyOn(UserHub.prototype, "noteUserChanged");
  await user.take(deletePicture, {});
  const rename = (name: string) => user.call(updateUser, { body: { display_name: name } });
  for (let times = 0; times < 30; times += 1) await rename(times % 2 === 0 ? "Ada" : "Eda");
  expect(await rename("Ada")).toMatchObject({ status: 429, error: { code: "RATE_LIMITED" } });
  expect(await rename("Eda")).toMatchObject({ ok: true });
  await until("all the news", () => noted.mock.calls.length >= 31);
  expect(noted).toHaveBeenCalledTimes(31);
  expect((await user.take(getUser, {})).user.display_name).toBe("Eda");
});

it("one's own picture notifies the person's other tabs, as a new name does", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const eventCount = () => tab.events.filter(({ type }) => type === "user.changed").length;
  await put(user, png(1, 1));
  await until("the picture's news", () => eventCount() === 1);
  await user.take(updateUser, { body: { display_name: "Ada" } });
  await until("the name's news", () => eventCount() === 2);
  await user.take(updateUser, { body: { browser_time_zone: "Europe/Berlin" } });
  await user.take(deletePicture, {});
  await until("the removal's news", () => eventCount() >= 3);
  expect(eventCount()).toBe(3);
});

it("members see each other's names and pictures, the owner's first, and nobody else does", async () => {
  const { chatId, owner, as } = await startSharedChat(["editor", "viewer"]);
  const [editor, viewer] = [as("editor"), as("viewer")];
  await put(viewer, png(5, 5));
  await owner.take(updateUser, { body: { display_name: "Olga" } });
  const params = { id: chatId };
  for (const member of [owner, editor, viewer]) {
    const { people } = await member.take(listPeople, { params });
    const picture = expect.stringMatching(/^\/api\/pictures\//);
    expect(people[0]).toEqual({ id: owner.user.id, display_name: "Olga", profile_image: null });
    expect(people).toHaveLength(3);
    expect(people).toContainEqual({ id: editor.user.id, display_name: editor.user.display_name, profile_image: null });
    expect(people).toContainEqual({ id: viewer.user.id, display_name: viewer.user.display_name, profile_image: picture });
  }
  expect(await (await signIn()).call(listPeople, { params })).toMatchObject({ status: 404 });
  await owner.take(updateChat, { params, body: { public: true } });
  expect((await (await signIn()).call(listPeople, { params })).ok).toBe(false);
});

it("others hear of a new name or picture, and of nothing else; strangers hear nothing", async () => {
  const { owner, as } = await startSharedChat(["viewer"]);
  const [tab, stranger] = [await openTab(as("viewer")), await openTab(await signIn())];
  const eventCount = () => tab.events.filter(({ type }) => type === "people.changed").length;
  // There is none to remove.
  await owner.take(deletePicture, {});
  await owner.take(updateUser, { body: { display_name: "Olga" } });
  await until("the name's news", () => eventCount() === 1);
  await owner.take(updateUser, { body: { display_name: "Olga", auto_mode_default: true } });
  await put(owner, png(5, 5));
  await until("the picture's news", () => eventCount() >= 2);
  expect(eventCount()).toBe(2);
  const ownTab = await openTab(owner);
  await put(as("viewer"), png(6, 6));
  await until("the viewer's news", () => ownTab.events.some(({ type }) => type === "people.changed"));
  expect(stranger.events.map(({ type }) => type)).toEqual(["hello"]);
});

it("a team's members are notified too", async () => {
  const [first, second] = [await signIn(), await signIn()];
  await makeTeam("Harbour", [first, second]);
  const tab = await openTab(second);
  await put(first, png(5, 5));
  await until("the news", () => tab.events.some(({ type }) => type === "people.changed"));
  expect(tab.events.filter(({ type }) => type === "people.changed")).toHaveLength(1);
});

/** A body whose length no header gives. */
function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream {
  return new Response(bytes).body ?? new ReadableStream();
}
