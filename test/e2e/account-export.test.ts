import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import { enter } from "./fixtures/api.ts";
import { expectAccessible, expectReadable } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/test.ts";

test("everything that somebody has is exported, downloaded and deleted again", async ({ page }) => {
  await enter(page);
  await page.goto("/?settings=general");
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("button", { name: /^Your data/ }).click();
  await expect(settings.getByRole("heading", { name: "Your data" })).toBeVisible();
  await expect(page).toHaveURL(/settings=data/);
  const start = settings.getByRole("button", { name: "Export", exact: true });
  const place = await start.boundingBox();
  const [x, y] = [(place?.x ?? 0) + (place?.width ?? 0) / 2, (place?.y ?? 0) + (place?.height ?? 0) / 2];
  /** What a second press at the same place would meet. */
  const under = () =>
    page.evaluate(([left, top]) => document.elementFromPoint(left, top)?.closest("a, button")?.textContent, [x, y] as const);
  await start.click();
  await expect(settings.getByRole("button", { name: /^(Stop|Delete) the export/ })).toBeVisible();
  expect(await under()).toMatch(/^(Export|Download)$/);
  const download = settings.getByRole("link", { name: "Download" });
  await expect(download).toBeVisible();
  await expect(settings.getByText(/expires in 2[34] hours/)).toBeVisible();
  expect(await under()).toBe("Download");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);

  const downloading = page.waitForEvent("download");
  await download.click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^polylogue-\d{4}-\d\d-\d\d\.zip$/);
  const names = Object.keys(unzipSync(readFileSync(await file.path())));
  expect(names).toEqual(expect.arrayContaining(["README.txt", "account.json", "profile/profile.json"]));

  await settings.getByRole("button", { name: "Delete the export" }).click();
  await expect(settings.getByRole("button", { name: "Export", exact: true })).toBeVisible();
});
