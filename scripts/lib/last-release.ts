/** The release before this one, built from the repository's history: what people have open, and what stored what they have, while this one is deployed. */
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Build } from "./build/build.ts";
import { inRoot } from "./paths.ts";
import { bin, runCommand } from "./run-command.ts";

/** A build with the database's migrations of its time. */
export type Release = Build & { migrations: string };

const Package = z.object({ version: z.string() });

/**
 * The commit of the last release: the last one before the version of package.json changed. Null where the history does not go that far, as
 * in a shallow clone, and for the first of all: what is older than 1.0.0 is moved from by 'Export everything' alone.
 */
export async function findLastRelease(): Promise<string | null> {
  // The only line of this key: dependencies stand under their names.
  const changed = await git("log", "-1", "--format=%H", '-G^  "version":', "--", "package.json");
  const parent = changed && (await git("rev-parse", "--verify", "--quiet", `${changed}^`));
  const before = parent && (await git("show", `${parent}:package.json`));
  if (!parent || !before || versionOf(before).startsWith("0.") || versionOf(before) === versionOf(await git("show", "HEAD:package.json")))
    return null;
  return parent;
}

/** Builds that commit in a folder, with the packages of today: what meets is code of ours. */
export async function buildCommit(commit: string, folder: string): Promise<Release> {
  process.stdout.write(`Building ${commit.slice(0, 12)} ...\n`);
  const [archive, sources, directory] = [join(folder, "sources.tar"), join(folder, "sources"), join(folder, "build")];
  await mkdir(sources);
  await need("git", ["archive", "--output", archive, commit]);
  await need("tar", ["-xf", archive, "-C", sources]);
  await symlink(inRoot("node_modules"), join(sources, "node_modules"), "junction");
  await need(bin("vite"), ["build", "--outDir", directory], sources);
  const [workerConfig, client] = [join(directory, "polylogue", "wrangler.json"), join(directory, "client")];
  return { directory, version: commit.slice(0, 12), workerConfig, client, migrations: join(sources, "migrations") };
}

async function git(...args: string[]): Promise<string> {
  const { code, output } = await runCommand("git", args, { quiet: true }).catch(() => ({ code: 1, output: "" }));
  return code === 0 ? output.trim() : "";
}

function versionOf(text: string): string {
  return Package.parse(JSON.parse(text)).version;
}

async function need(program: string, args: string[], cwd = inRoot()): Promise<void> {
  const { code, output } = await runCommand(program, args, { quiet: true, cwd });
  if (code !== 0) throw new Error(`The last release could not be built: ${output}`);
}
