import { sidebar } from "../../e2e/fixtures/chat.ts";
import { openList, withSidebar } from "../open.ts";
import { change, fail, hold, scene } from "../scene.ts";
import { LONG_TITLE, LONG_WORD } from "../seed/titles.ts";

const LISTS = /\/api\/(chats|inbox|folders)/;
const ARTIFACTS = /\/api\/artifacts/;

for (const [name, tab] of [
  ["inbox", "Inbox"],
  ["chats", "Chats"],
  ["artifacts", "Artifacts"],
] as const) {
  const requests = tab === "Artifacts" ? ARTIFACTS : LISTS;
  scene(`sidebar-${name}`, (page) => openList(page, tab));
  scene(`sidebar-${name}-empty`, (page) => openList(page, tab), { as: "newcomer" });
  scene(
    `sidebar-${name}-loading`,
    async (page) => {
      await hold(page, requests);
      await openList(page, tab);
    },
    { isLoading: true },
  );
  scene(`sidebar-${name}-failing`, async (page) => {
    await fail(page, requests);
    await openList(page, tab);
  });
}

scene("sidebar-long", async (page) => {
  await change(page, /\/api\/inbox/, (body) => ({ ...body, chats: many(body["chats"]) }));
  await change(page, /\/api\/chats\?/, (body) => ({ ...body, chats: many(body["chats"]) }));
  await openList(page, "Inbox");
});
scene("sidebar-row-menu", async (page) => {
  await openList(page, "Chats");
  await sidebar(page)
    .getByRole("link", { name: /Weekly review/ })
    .first()
    .click({ button: "right" });
});
scene("sidebar-profile-menu", async (page) => {
  await withSidebar(page);
  await page.getByRole("button", { name: /Lena Brandt/ }).click();
});

/** Rows with long names. */
function many(chats: unknown): unknown[] {
  if (!Array.isArray(chats)) throw new Error("A list of chats was expected.");
  return chats.map((chat: object, n) => ({ ...chat, title: n % 2 === 0 ? LONG_TITLE : LONG_WORD, lastMessagePreview: LONG_WORD }));
}
