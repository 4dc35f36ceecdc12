import type { BrowserContext, Page } from "@playwright/test";
import * as z from "zod/mini";
import { markdownOfLength } from "../../simulators/aggregator/bytes.ts";
import { callApi, messagesOf } from "../../e2e/fixtures/api.ts";
import { answered, ask, chatIdOf, composer, conversation, lastTurn, send, sidebar, turns } from "../../e2e/fixtures/chat.ts";
import { newAddress, signIn } from "../../e2e/fixtures/sign-in.ts";
import { expect, test } from "../../e2e/fixtures/test.ts";

const DEPLOY = process.env["E2E_DEPLOY"] ?? "";

/** Characters of an answer that a deployment always meets in the middle. */
const LENGTH = 5_000;
const LONG_ANSWER = `speed 60\nbytes ${LENGTH}`;
const NOTES = { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Plan\n\nBuy marmalade.") };
const TEXT = "## What it costs\n\nThe rent of two rooms.\n";

test.describe.configure({ retries: 0 });
test.use({ serviceWorkers: "allow" });

/** Ends the server and starts another version of it with the same state at the same address. */
async function deploy(version: "this" | "last"): Promise<void> {
  const answer = await fetch(DEPLOY, { method: "POST", body: version });
  expect(answer.ok, await answer.text()).toBe(true);
}

/** Which build's page this is. */
async function buildOf(page: Page): Promise<string> {
  return (await page.locator("script[type=module][src]").first().getAttribute("src")) ?? "";
}

async function openChat(context: BrowserContext, id: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`/c/${id}`);
  return page;
}

/** Begins an answer that is still being written when this resolves, with a message behind it in the queue. */
async function beginLong(page: Page, queued: string): Promise<void> {
  const before = await turns(page).count();
  await send(page, LONG_ANSWER);
  await expect(turns(page)).toHaveCount(before + 2);
  await expect.poll(async () => (await lastTurn(page).innerText()).length).toBeGreaterThan(100);
  await send(page, `say ${queued}`);
  await expect(page.getByRole("region", { name: "Queue" })).toContainText(queued);
}

/** Sees that the long answer of a chat became whole and the queued message was answered, in a tab that was open all the while. */
async function wentOn(page: Page, queued: string): Promise<void> {
  await expect(page.getByRole("region", { name: "Queue" })).toHaveCount(0, { timeout: 60_000 });
  await expect(lastTurn(page)).toContainText(queued);
  await answered(page);
  const messages = await messagesOf(page, chatIdOf(page));
  const [long, question, answer] = messages.slice(-3);
  expect([long?.status, question?.content, answer?.content, answer?.status]).toEqual(["done", `say ${queued}`, queued, "done"]);
  const broke = markdownOfLength(LENGTH).slice(0, 200);
  expect(long?.content.slice(0, 200)).toBe(broke);
}

/** The texts that messages of each chat begin with, the chat whose first message has a file, and an artifact. */
type ExpectedData = { chats: Record<string, string[]>; fileIn: string; artifactId: string };

/** Sees what an account has stored, as its own API tells it; whatever version answers. */
async function expectStored(page: Page, { chats, fileIn, artifactId }: ExpectedData): Promise<void> {
  for (const [id, texts] of Object.entries(chats)) {
    const messages = await messagesOf(page, id);
    const missing = texts.filter((text) => !messages.some(({ content }) => content.startsWith(text)));
    expect(missing, `of chat ${id}`).toEqual([]);
  }
  const [withFile] = await messagesOf(page, fileIn);
  const url = withFile?.attachments[0]?.url ?? "";
  expect(await (await page.request.get(url)).body()).toEqual(NOTES.buffer);
  const artifact = z.object({ artifact: z.object({ content: z.string() }) });
  expect(artifact.parse(await callApi(page, { method: "GET", path: `/api/artifacts/${artifactId}` })).artifact.content).toBe(TEXT);
}

test("the last release is followed by this one, goes back and is followed again, under open tabs and running replies", async ({
  page,
  context,
  newDevice,
  allowConsole,
}) => {
  test.setTimeout(600_000);
  // A server that is away, and files that the other version has not.
  allowConsole(/Failed to load resource|WebSocket connection|net::ERR|dynamically imported module/);

  // The last release.
  const email = await signIn(page);
  await page.goto("/");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles(NOTES);
  await expect(page.getByRole("list", { name: "Attached files" })).toContainText(/notes\.md\s*\d+ B/);
  const first = await ask(page, "say With a file");
  const created = await callApi(page, { method: "POST", path: "/api/artifacts", body: { title: "Lisbon office", content: TEXT } });
  const { id: artifactId } = z.object({ artifact: z.object({ id: z.string() }) }).parse(created).artifact;
  const old = await buildOf(page);
  const drafting = await context.newPage();
  await drafting.goto("/");
  const busy = await context.newPage();
  await busy.goto("/");
  const second = await ask(busy, "say Before the long one");
  await composer(page).fill("say Typed before the upgrade");
  await composer(drafting).fill("say A new chat typed before");
  await beginLong(busy, "Queued before the upgrade");

  await deploy("this");

  // Its tabs go on with the new Worker, and hear that there is a newer version.
  await wentOn(busy, "Queued before the upgrade");
  await composer(page).press("Enter");
  await expect(lastTurn(page)).toContainText("Typed before the upgrade");
  await answered(page);
  expect([await buildOf(page), await buildOf(busy)]).toEqual([old, old]);
  await composer(page).fill("say A draft that stays");
  await page.getByText("A new version is ready").waitFor();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect.poll(() => buildOf(page)).not.toBe(old);
  const chats = {
    [first]: ["say With a file", "With a file", "say Typed before the upgrade", "Typed before the upgrade"],
    [second]: ["say Before the long one", "Before the long one", LONG_ANSWER, "say Queued before the upgrade", "Queued before the upgrade"],
  };
  const expected = { fileIn: first, artifactId };
  await expectStored(page, { chats, ...expected });

  // Its own tabs have all of it, typed text too.
  await expect(turns(page)).toHaveCount(4);
  await expect(composer(page)).toHaveValue("say A draft that stays");
  await expect(
    turns(page)
      .first()
      .getByRole("link", { name: /notes\.md/ }),
  ).toBeVisible();
  await expect(sidebar(page).getByRole("link", { name: "Before the long one" })).toBeVisible();
  await drafting.reload();
  await expect(composer(drafting)).toHaveValue("say A new chat typed before");
  const third = await ask(drafting, "say A new chat typed before");
  await busy.reload();
  await expect(turns(busy)).toHaveCount(6);
  await beginLong(busy, "Queued before going back");
  await composer(drafting).fill("say Typed before going back");

  await deploy("last");

  // Back again: the tabs of the newer version go on, and the old one reads what both stored.
  await expect(page.getByText("A new version is ready")).toBeVisible();
  await composer(drafting).press("Enter");
  await expect(lastTurn(drafting)).toContainText("Typed before going back");
  await answered(drafting);
  const device = await newDevice();
  await signIn(device, email);
  await device.goto(`/c/${first}`);
  expect(await buildOf(device)).toBe(old);
  await expect(turns(device)).toHaveCount(4);
  await send(device, "say Said on the way back");
  await expect(lastTurn(device)).toContainText("Said on the way back");
  await answered(device);
  const fourth = await openChat(device.context(), second);
  await expect(conversation(fourth)).toContainText("Queued before the upgrade");
  await expect(fourth.getByRole("button", { name: "Stop" })).toHaveCount(0, { timeout: 60_000 });
  const whileBack = {
    ...chats,
    [third]: ["say Typed before going back", "Typed before going back"],
    [first]: ["say With a file", "Said on the way back"],
  };
  await expectStored(device, { chats: whileBack, ...expected });
  await device.goto("/");
  const begun = await ask(device, "say Begun on the way back");
  const stranger = await newDevice();
  await signIn(stranger, newAddress("later"));
  await stranger.goto("/");
  await ask(stranger, "say A newcomer on the way back");

  await deploy("this");

  // Forward once more, where nothing is done a second time.
  await device.goto(`/c/${begun}`);
  await expect(turns(device)).toHaveCount(2);
  await send(device, "say After all of it");
  await expect(lastTurn(device)).toContainText("After all of it");
  await answered(device);
  expect(await buildOf(device)).not.toBe(old);
  for (const id of [first, second, third]) {
    await device.goto(`/c/${id}`);
    const count = await turns(device).count();
    await send(device, `say Once more ${id}`);
    await expect(lastTurn(device)).toContainText(`Once more ${id}`);
    await answered(device);
    expect(await turns(device).count()).toBeGreaterThan(count);
  }
  await expectStored(device, { chats: { ...whileBack, [begun]: ["Begun on the way back", "After all of it"] }, ...expected });
  await page.reload();
  await expect(composer(page)).toHaveValue("say A draft that stays");
  await stranger.reload();
  await ask(stranger, "say A newcomer afterwards");
});
