import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { strayIn } from "../../scripts/lib/build/build.ts";
import { copyOf } from "../../scripts/lib/deploy/copy.ts";
import { deployConfig } from "../../scripts/lib/deploy/upload.ts";
import { weaknessesIn, writeInventory } from "../../scripts/lib/packages.ts";
import { inRoot } from "../../scripts/lib/paths.ts";

test("a deployment answers at its own domain alone, and its logs hold no queries", () => {
  expect(readConfig({ config: inRoot("wrangler.jsonc") })).toMatchObject({
    workers_dev: false,
    preview_urls: false,
    observability: { enabled: true, redact_query_string: true, logs: { enabled: true, invocation_logs: false } },
  });
});

test("a deployment begins every job at once and by itself, as somebody waits for it", () => {
  expect(readConfig({ config: inRoot("wrangler.jsonc") })).toMatchObject({
    queues: {
      consumers: [
        { queue: "polylogue-jobs", max_batch_size: 1, max_batch_timeout: 0 },
        { queue: "polylogue-reads", max_batch_size: 1, max_batch_timeout: 0 },
        { queue: "polylogue-bulk", max_batch_size: 1, max_batch_timeout: 0, max_concurrency: 50 },
        { queue: "polylogue-jobs-dead" },
        { queue: "polylogue-reads-dead" },
        { queue: "polylogue-bulk-dead" },
      ],
    },
  });
});

test("a deployment leaves a reply that is being written the code it began with for half an hour", () => {
  const { durable_objects: objects } = readConfig({ config: inRoot("wrangler.jsonc") });
  expect(objects).toMatchObject({ code_update_strategy: { mode: "deferred", max_delay: 1800 } });
});

test("a deployment that asks for it answers at workers.dev too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "polylogue-deployment-"));
  const built = join(folder, "wrangler.json");
  await writeFile(built, JSON.stringify({ workers_dev: false, d1_databases: [{ binding: "DB" }] }));
  const deployed = async (isExposed: boolean): Promise<unknown> =>
    JSON.parse(
      await readFile(await deployConfig({ workerConfig: built }, { copy: copyOf(undefined), databaseId: "id", isExposed }), "utf8"),
    );
  expect(await deployed(false)).toMatchObject({ workers_dev: false, d1_databases: [{ binding: "DB", database_id: "id" }] });
  expect(await deployed(true)).toMatchObject({ workers_dev: true });
});

test("a deployment keeps a list of what it is made of, and whatever ships in it is known by its hash", async () => {
  const directory = await mkdtemp(join(tmpdir(), "polylogue-inventory-"));
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(await readFile(inRoot("package.json"), "utf8"));
  const { components }: { components: { name: string; version: string; hashes?: unknown[]; properties: { name: string }[] }[] } =
    JSON.parse(await readFile(await writeInventory({ directory }), "utf8"));
  const shipped = components.filter(({ properties }) => !properties.some(({ name }) => name === "cdx:npm:package:development"));
  const listed = new Set(shipped.map(({ name, version }) => `${name} ${version}`));
  expect(Object.entries(dependencies).filter(([name, version]) => !listed.has(`${name} ${version}`))).toEqual([]);
  expect(shipped.length).toBeLessThan(components.length);
  expect(shipped.filter(({ hashes }) => !hashes?.length).map(({ name }) => name)).toEqual([]);
});

test("a deployment reads what is known of its packages, and what is no answer as none", () => {
  const answer = { auditReportVersion: 2, vulnerabilities: { hono: { severity: "high", range: "<4" }, katex: { severity: "low" } } };
  expect(weaknessesIn(`npm warn something\n${JSON.stringify(answer)}\n`)).toEqual([
    { name: "hono", severity: "high" },
    { name: "katex", severity: "low" },
  ]);
  expect(weaknessesIn(JSON.stringify({ vulnerabilities: {} }))).toEqual([]);
  expect(weaknessesIn(JSON.stringify({ message: "405 Method Not Allowed", error: { summary: "" } }))).toBeNull();
  expect(weaknessesIn("")).toBeNull();
});

test("a build that holds what no browser asks for is none", () => {
  const asked = ["/index.html", "/_headers", "/sw.js", "/assets/app-1a2b3c.js", "/assets/pdfjs-5/cmaps/LICENSE", "/.vite/manifest.json"];
  expect(strayIn(asked)).toEqual([]);
  const unexpected = ["/assets/app-1a2b3c.js.map", "/.dev.vars", "/notes.md", "/assets/data.json", "/other.html"];
  expect(strayIn([...asked, ...unexpected])).toEqual(unexpected);
});
