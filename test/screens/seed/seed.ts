import { writeFileSync } from "node:fs";
import { type Browser, type Page, test } from "@playwright/test";
import { callApi, enter } from "../../e2e/fixtures/api.ts";
import { placeFile, type Who } from "../world.ts";
import { makeChats } from "./chats.ts";
import { makeLibrary } from "./library.ts";
import { ADMIN, COLLEAGUES, NEWCOMER, OWNER } from "./people.ts";
import { makeInvites, makeOutside } from "./outside.ts";
import { makeTeam } from "./team.ts";

type Person = { email: string; name: string };

test("an account with a long life, one that just came, and an administrator's", async ({ browser }) => {
  test.setTimeout(240_000);
  const owner = await pageOf(browser, OWNER);
  const newcomer = await pageOf(browser, NEWCOMER);
  const admin = await pageOf(browser, ADMIN);
  const colleagues = [];
  for (const person of COLLEAGUES) colleagues.push(await pageOf(browser, person));
  const team = await makeTeam(owner, colleagues);
  const library = await makeLibrary(owner, team);
  const chats = await makeChats(owner, { ...team, colleague: colleagues[0] ?? newcomer });
  await makeOutside(owner);
  await makeInvites(admin);
  const pages: Record<Who, Page> = { owner, newcomer, admin };
  const sessions = Object.fromEntries(
    await Promise.all(Object.entries(pages).map(async ([who, page]) => [who, await page.context().storageState()])),
  );
  writeFileSync(placeFile(), JSON.stringify({ sessions, world: { ...team, ...library, ...chats } }));
});

async function pageOf(browser: Browser, { email, name }: Person): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await enter(page, email);
  await callApi(page, { method: "PATCH", path: "/api/user", body: { display_name: name, time_zone: "Europe/Berlin" } });
  return page;
}
