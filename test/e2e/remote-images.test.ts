import { ask, lastTurn } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test("an image in an answer names its host, comes through our own server when it is asked for, and says when it cannot", async ({
  page,
  baseURL,
  allowConsole,
}) => {
  allowConsole(/status of 40[04]/);
  const externalUrls: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith("http") && new URL(request.url()).host !== new URL(baseURL ?? "").host) externalUrls.push(request.url());
  });
  const pictures = `${process.env["E2E_EXA"]}/images`;
  const lines = [
    `![A stone bridge](${pictures}/stone-bridge.png)`,
    `[![In a link](${pictures}/bread.png)](https://example.org/)`,
    `![A page](${pictures}/page.png)`,
    "![Plain](http://cdn.example.org/a.png)",
  ];
  await page.goto("/");
  await ask(page, `say ${lines.join("\n\n")}`);
  const turn = lastTurn(page);
  await expect(turn.getByRole("img")).toHaveCount(0);
  await expect(turn.getByRole("link", { name: "Image: In a link" })).toHaveAttribute("href", "https://example.org/");

  const button = turn.getByRole("button", { name: "Show image: A stone bridge" });
  await expect(button).toContainText("127.0.0.1");
  await expect(button).toHaveAttribute("title", `${pictures}/stone-bridge.png`);
  await button.press("Enter");
  const image = turn.getByRole("img", { name: "A stone bridge" });
  await expect(image).toBeVisible();
  await expect(image).toHaveAttribute("src", /^\/api\/media\//);
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
  await expect(turn.getByRole("link", { name: "127.0.0.1", exact: true })).toBeFocused();

  await turn.getByRole("button", { name: "Show image: A page" }).click();
  await expect(turn.getByRole("alert")).toHaveText(/A page: This image could not be loaded\./);
  await turn.getByRole("button", { name: "Show image: Plain" }).click();
  await expect(turn.getByRole("alert").last()).toHaveText(/Plain: Images are loaded from public https addresses only\./);
  expect(externalUrls).toEqual([]);

  await page.reload();
  await expect(turn.getByRole("button", { name: "Show image: A stone bridge" })).toBeVisible();
  await expect(turn.getByRole("img")).toHaveCount(0);
});
