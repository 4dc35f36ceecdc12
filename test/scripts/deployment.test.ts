import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { deployConfig } from "../../scripts/lib/cloudflare.ts";
import { inRoot } from "../../scripts/lib/paths.ts";

afterEach(() => void vi.unstubAllEnvs());

test("a deployment answers at its own domain alone, and its logs hold no queries", () => {
  expect(readConfig({ config: inRoot("wrangler.jsonc") })).toMatchObject({
    workers_dev: false,
    preview_urls: false,
    observability: { enabled: true, redact_query_string: true },
  });
});

test("a deployment begins every job at once, as somebody waits for it", () => {
  expect(readConfig({ config: inRoot("wrangler.jsonc") })).toMatchObject({
    queues: {
      consumers: [
        { queue: "polylogue-jobs", max_batch_timeout: 0 },
        { queue: "polylogue-reads", max_batch_timeout: 0 },
        { queue: "polylogue-jobs-dead" },
        { queue: "polylogue-reads-dead" },
      ],
    },
  });
});

test("a deployment that asks for it answers at workers.dev too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "polylogue-deployment-"));
  const built = join(folder, "wrangler.json");
  await writeFile(built, JSON.stringify({ workers_dev: false, d1_databases: [{ binding: "DB" }] }));
  const deployed = async (): Promise<unknown> =>
    JSON.parse(await readFile(await deployConfig({ workerConfig: built, directory: folder, client: folder, version: "1" }, "id"), "utf8"));
  expect(await deployed()).toMatchObject({ workers_dev: false, d1_databases: [{ binding: "DB", database_id: "id" }] });
  vi.stubEnv("WORKERS_DEV", "true");
  expect(await deployed()).toMatchObject({ workers_dev: true });
});
