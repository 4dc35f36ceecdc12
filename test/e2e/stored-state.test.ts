import * as z from "zod/mini";
import { callApi } from "./fixtures/api.ts";
import { answered, composer, lastTurn, send, sidebar, turns } from "./fixtures/chat.ts";
import { signIn } from "./fixtures/sign-in.ts";
import { expect, test } from "./fixtures/test.ts";

const Titles = z.object({ artifacts: z.array(z.object({ id: z.string(), title: z.string() })) });
const Artifact = z.object({ artifact: z.object({ content: z.string() }) });

/** The account's chat, which is in a folder. */
const CHAT = "75583739-d570-4ce4-bcae-fcc43ca01a98";

test("an account that 1.0.0 stored signs in, has its chat, folder, tag, artifact and knowledge, and goes on", async ({ page }) => {
  await signIn(page, "first.release@example.com");
  await sidebar(page).getByRole("tab", { name: "Chats" }).click();
  await sidebar(page).getByRole("treeitem", { name: "Voyages", exact: true }).click();
  await expect(sidebar(page).getByText("north", { exact: true })).toBeVisible();
  await page.goto(`/c/${CHAT}`);
  await expect(turns(page).first()).toContainText("opens at six");
  await expect(turns(page).nth(3)).toContainText("closes at nine");
  await expect(composer(page)).toBeEditable();
  await send(page, "say And so it goes on.");
  await answered(page);
  await expect(lastTurn(page)).toContainText("And so it goes on.");
  const [artifact] = Titles.parse(await callApi(page, { method: "GET", path: "/api/artifacts" })).artifacts;
  expect(artifact?.title).toBe("Harbour rules");
  const read = await callApi(page, { method: "GET", path: `/api/artifacts/${artifact?.id}` });
  expect(Artifact.parse(read).artifact.content).toContain("Moor with two lines.");
  expect(JSON.stringify(await callApi(page, { method: "GET", path: "/api/user-contexts" }))).toContain("Tide tables");
});
