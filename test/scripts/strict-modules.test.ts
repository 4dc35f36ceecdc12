import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "../../scripts/lib/paths.ts";
import { STRICT_JOURNEYS, STRICT_SAMPLE } from "../../scripts/lib/strict-runs.ts";
import { strictModules } from "../../scripts/lib/strict-modules.ts";

test("what the strict platform's modules import is among them or is the runtime's, and no type is left in them", () => {
  const modules = strictModules("index.js");
  const paths = new Set(modules.map(({ path }) => path));
  const wanted = modules.flatMap(({ path, contents }) =>
    Array.from(contents.matchAll(/^\s*import .* from "([^"]+)"/gm), ([, name = ""]) =>
      name.startsWith("./") ? new URL(name, `file:///${path}`).pathname.slice(1) : name,
    ),
  );
  expect(wanted.length).toBeGreaterThan(10);
  expect(wanted.filter((name) => !paths.has(name) && !/^(?:node|cloudflare):/.test(name) && name !== "index.js")).toEqual([]);
  expect(modules.filter(({ contents }) => /\bimport type\b|#worker/.test(contents))).toEqual([]);
});

test("the strict platform stands around every object that the Worker has", () => {
  const [entry] = strictModules("index.js");
  const classes = Array.from(readFileSync(inRoot("wrangler.jsonc"), "utf8").matchAll(/"class_name": "(\w+)"/g), ([, name = ""]) => name);
  expect(classes.length).toBeGreaterThan(0);
  for (const name of classes) expect(entry?.contents).toContain(`${name}: real.${name}`);
});

test("the files that run on the strict platform are there", () => {
  for (const file of [...STRICT_SAMPLE, ...STRICT_JOURNEYS]) expect(readFileSync(inRoot(file), "utf8")).not.toBe("");
});
