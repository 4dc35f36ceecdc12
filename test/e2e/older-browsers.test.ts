import { expect, type Page, test } from "@playwright/test";

const SENTENCE = "Polylogue needs a newer browser: Chrome or Edge 120, Firefox 128, Safari or iOS 17.4, or a later one.";

/** The application's own code comes in words that no browser knows. */
async function failToParse(page: Page): Promise<void> {
  await page.route(/\/assets\/(?:app|index)-[^/]*\.js$/, (route) =>
    route.fulfill({ contentType: "text/javascript", body: "export const later = what no browser knows;" }),
  );
}

test("a browser that cannot run the code reads which ones can, on the home screen and in a chat", async ({ page }) => {
  await failToParse(page);
  await page.addInitScript(() => void Reflect.deleteProperty(Promise, "withResolvers"));
  for (const path of ["/", "/c/0b5f9f0e-6a3c-4a0e-9d53-4a1c2a1f7a11"]) {
    await page.goto(path);
    await expect(page.getByText(SENTENCE)).toBeVisible();
    await expect(page.getByRole("textbox")).toBeHidden();
  }
});

test("a browser without modules reads which ones can run it as well", async ({ page }) => {
  await page.route("/", async (route) => {
    const response = await route.fetch();
    // As such a browser reads it: it runs what is for those without modules, and nothing that is a module.
    const body = (await response.text())
      .replace("<script nomodule", "<script")
      .replaceAll('<script type="module"', '<script type="text/plain"');
    await route.fulfill({ response, body });
  });
  await page.goto("/");
  await expect(page.getByText(SENTENCE)).toBeVisible();
});

test("the page for older browsers is shown to nobody else: not where the code starts, nor where a new browser cannot run it", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
  await expect(page.getByText(SENTENCE)).toBeHidden();
  await failToParse(page);
  const failure = page.waitForEvent("pageerror");
  await page.reload();
  await failure;
  await expect(page.getByText(SENTENCE)).toBeHidden();
});

test("without JavaScript the page says that it needs it", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env["E2E_URL"] ?? "" });
  const page = await context.newPage();
  await page.route("/", async (route) => {
    const response = await route.fetch();
    // The emulation runs no scripts, and still leaves out what is there for browsers without.
    await route.fulfill({ response, body: (await response.text()).replaceAll(/<\/?noscript>/g, "") });
  });
  await page.goto("/");
  await expect(page.getByText("Polylogue needs JavaScript to talk to models.")).toBeVisible();
  await expect(page.getByText(SENTENCE)).toBeHidden();
  await expect(page.getByRole("textbox")).toBeHidden();
  await context.close();
});
