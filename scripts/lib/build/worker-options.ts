import { readdirSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import type { V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as readWorkerOptions } from "wrangler";
import type { Build } from "./build.ts";
import type { Vars } from "../dev-vars.ts";
import { strictModules } from "../strict-modules.ts";

const MODULE_TYPES = {
  ".js": "ESModule",
  ".mjs": "ESModule",
  ".wasm": "CompiledWasm",
  ".txt": "Text",
  ".html": "Text",
  ".bin": "Data",
} as const;

/**
 * What Miniflare needs to run a build; its variables are `vars` alone, as a build holds no `.dev.vars` (build.ts). With the variable STRICT it
 * runs on the strict platform (test/support/strict/options.ts).
 */
export function workerOptions(build: Build, vars: Vars): V4WorkerOptions {
  const read = readWorkerOptions(build.workerConfig);
  if (!read.main) throw new Error("The build names no Worker.");
  const { modulesRules: _rules, ...options } = read.workerOptions;
  const root = dirname(read.main);
  const modules = modulesIn(root, read.main);
  return {
    ...options,
    name: "polylogue",
    rootPath: root,
    modulesRoot: root,
    modules: vars["STRICT"] === undefined ? modules : [...strictModules(relative(root, read.main)), ...modules],
    bindings: vars,
  };
}

function modulesIn(root: string, main: string): { type: (typeof MODULE_TYPES)[keyof typeof MODULE_TYPES]; path: string }[] {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return [main, ...files.filter((file) => file !== main)].flatMap((file) => {
    const type = moduleType(extname(file));
    return type ? [{ type, path: relative(root, file) }] : [];
  });
}

function moduleType(extension: string): (typeof MODULE_TYPES)[keyof typeof MODULE_TYPES] | undefined {
  return Object.entries(MODULE_TYPES).find(([known]) => known === extension)?.[1];
}
