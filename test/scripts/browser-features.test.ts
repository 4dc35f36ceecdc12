import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import config from "../../playwright.config.ts";
import { inRoot } from "../../scripts/lib/paths.ts";

it("the tests' browser has switched off all that Playwright switches off, as its list gives way to ours", () => {
  const source = readFileSync(inRoot("node_modules/playwright-core/lib/coreBundle.js"), "utf8");
  const list = /disabledFeatures = \[([^\]]*)\]/.exec(source)?.[1] ?? "";
  const theirs = [...list.replaceAll(/\/\/.*$/gm, "").matchAll(/"(\w+)"/g)].map(([, name]) => name);
  const flag = config.use?.launchOptions?.args?.find((arg) => arg.startsWith("--disable-features=")) ?? "";
  const ours = flag.slice(flag.indexOf("=") + 1).split(",");
  expect(theirs).toContain("HttpsUpgrades");
  expect(ours).toEqual(expect.arrayContaining(theirs));
});
