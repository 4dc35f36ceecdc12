import { composer } from "../../e2e/fixtures/chat.ts";
import { cutOff, fail, hold, scene } from "../scene.ts";

const LISTS = /\/api\/(chats|inbox|live)/;

scene("home", async (page) => {
  await page.goto("/");
  await page.getByText("waits for approval").waitFor();
});
scene("home-empty", async (page) => void (await page.goto("/")), { as: "newcomer" });
scene("home-guest", async (page) => void (await page.goto("/")), { as: "guest" });
scene(
  "home-loading",
  async (page) => {
    await hold(page, LISTS);
    await page.goto("/");
    await composer(page).waitFor();
  },
  { isLoading: true },
);
scene("home-failing", async (page) => {
  await fail(page, LISTS);
  await page.goto("/");
  await composer(page).waitFor();
});
scene("home-no-network", async (page) => {
  await cutOff(page, /\/api\//);
  await page.goto("/");
});
scene("home-long-draft", async (page) => {
  await page.goto("/");
  await composer(page).fill(
    Array.from({ length: 40 }, (_, n) => `${n + 1}. A line of a long draft about the lanterns of the harbour.`).join("\n"),
  );
});
