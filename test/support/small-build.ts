import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import type { Build } from "../../scripts/lib/build/build.ts";
import { inRoot } from "../../scripts/lib/paths.ts";

const Config = z.looseObject({
  assets: z.looseObject({}),
  durable_objects: z.looseObject({ bindings: z.array(z.looseObject({ class_name: z.string() })) }),
});

/** A build with the product's own configuration, and next to nothing in it: what is uploaded is not what is tested. */
export async function smallBuild(version: string): Promise<Build> {
  const directory = await mkdtemp(join(tmpdir(), "polylogue-build-"));
  const build = { directory, version, workerConfig: join(directory, "polylogue", "wrangler.json"), client: join(directory, "client") };
  const { $schema: _, ...config } = Config.parse(readRawConfig({ config: inRoot("wrangler.jsonc") }).rawConfig);
  const classes = config.durable_objects.bindings.map(({ class_name: name }) => `export class ${name} extends DurableObject {}\n`).join("");
  await Promise.all([mkdir(join(directory, "polylogue")), mkdir(build.client)]);
  await writeFile(join(build.client, "index.html"), `<p>${version}</p>\n`);
  await writeFile(
    join(directory, "polylogue", "index.js"),
    `import { DurableObject } from "cloudflare:workers";\n${classes}export default { fetch: () => new Response("${version}") };\n`,
  );
  const built = { ...config, main: "index.js", no_bundle: true, assets: { ...config.assets, directory: "../client" } };
  await writeFile(build.workerConfig, JSON.stringify(built));
  return build;
}
