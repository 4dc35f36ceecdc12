import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join, sep } from "node:path";
import { SERVED } from "#shared/pages.ts";
import { inRoot } from "../paths.ts";
import { bin, runCommand } from "../run-command.ts";

/** A production build: its folder and the hash of all that went into it. */
export type Build = { directory: string; version: string; workerConfig: string; client: string };

const INPUTS = [
  "web",
  "worker",
  "shared",
  "CHANGELOG.md",
  "scripts/lib/build",
  "wrangler.jsonc",
  "package-lock.json",
  "tsconfig.base.json",
];
const BUILDS_KEPT = 4;
/** A server may still run from a build of this age, in milliseconds. */
const MAYBE_SERVED_MS = 12 * 60 * 60_000;

/**
 * Builds the product unless these very sources were built before. Each build has a folder of its own,
 * so a running server never loses its files to a test's build.
 */
export async function buildProduct(): Promise<Build> {
  const version = await hashSources();
  const directory = inRoot("dist", version);
  if (!existsSync(directory)) await buildInto(directory);
  await utimes(directory, new Date(), new Date());
  await dropOldBuilds();
  return {
    directory,
    version,
    workerConfig: join(directory, "polylogue", "wrangler.json"),
    client: join(directory, "client"),
  };
}

async function buildInto(directory: string): Promise<void> {
  process.stdout.write("Building ...\n");
  const draft = `${directory}.${process.pid}`;
  await mkdir(inRoot("dist"), { recursive: true });
  const { code, output } = await runCommand(bin("vite"), ["build", "--outDir", draft], { quiet: true });
  if (code !== 0) {
    await rm(draft, { recursive: true, force: true });
    process.stderr.write(output);
    throw new Error("The product could not be built; the reason stands above.");
  }
  // Only the local server and `wrangler secret` hand out secrets; a build holds none.
  await rm(join(draft, "polylogue", ".dev.vars"), { force: true });
  const stray = strayIn((await filesOf(join(draft, "client"))).map((file) => file.slice(join(draft, "client").length)));
  if (stray.length > 0) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`The build holds what no browser asks for, and would serve it: ${stray.join(", ")}.`);
  }
  await rename(draft, directory).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  });
}

/** The one document, what the platform's own tools read, and licences, which go with what they are about. */
const BESIDE = /^\/(?:index\.html|_headers|\.assetsignore|\.vite\/manifest\.json|assets\/.+\/LICENSE\w*)$/;

/** What of the files for browsers, as paths from there, no browser is to get. */
export function strayIn(files: readonly string[]): string[] {
  return files.map((file) => file.replaceAll(sep, "/")).filter((file) => !SERVED.test(file) && !BESIDE.test(file));
}

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  for (const input of INPUTS) {
    for (const file of await filesOf(inRoot(input))) hash.update(`${file.slice(inRoot().length)}\0`).update(await readFile(file));
  }
  return hash.digest("hex").slice(0, 12);
}

async function filesOf(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${sep}.wrangler${sep}`))
    .toSorted();
}

async function dropOldBuilds(): Promise<void> {
  const names = await readdir(inRoot("dist"));
  const builds = await Promise.all(names.map(async (name) => ({ name, at: (await stat(inRoot("dist", name))).mtimeMs })));
  const old = builds
    .toSorted((a, b) => b.at - a.at)
    .slice(BUILDS_KEPT)
    .filter(({ at }) => at < Date.now() - MAYBE_SERVED_MS);
  await Promise.all(old.map(({ name }) => rm(inRoot("dist", name), { recursive: true, force: true })));
}
