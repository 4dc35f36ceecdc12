import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { readConfig, VARIABLE_NAMES } from "#worker/platform/config/config.ts";

/** Variables by name, as a Worker gets them. */
export type Vars = Record<string, string>;

/** Reads `KEY=value` lines; `#` begins a comment, quotes are taken off, and a broken line is named. */
export function parseDevVars(text: string, file: string): Vars {
  const vars: Vars = {};
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line);
    const value = match?.[2] === undefined ? undefined : unquote(match[2]);
    if (!match?.[1] || value === undefined) {
      throw new Error(`${file} is broken in line ${index + 1}: write each variable as NAME=value, with both quotes or none.`);
    }
    vars[match[1]] = value;
  }
  return vars;
}

/** What a command says of its own server, and a shell perhaps of something else. */
const NEVER_FROM_OUTSIDE = new Set(["ENVIRONMENT", "VERSION", "AGGREGATOR_SIMULATED", "MAILBOX_SIMULATED", "WHATSAPP_SIMULATED"]);

/** What a deployment is given: the variables of a file, each overridden by that of `environment` where it has one. Throws where one is broken. */
export async function readGivenVars(path: string, environment: Readonly<NodeJS.ProcessEnv> = {}): Promise<Vars> {
  const vars = await readDevVars(path);
  for (const name of VARIABLE_NAMES) {
    const value = environment[name];
    if (value !== undefined && !NEVER_FROM_OUTSIDE.has(name)) vars[name] = value;
  }
  readConfig(vars);
  return vars;
}

/**
 * What a deployment in production is given by a file, or where there is none by a text in its form, as a repository's secret is. Throws where
 * something is broken, or missing that only production needs.
 */
export async function readProductionVars(path: string, text = ""): Promise<Vars> {
  const fromFile = await readGivenVars(path);
  const vars = Object.keys(fromFile).length > 0 ? fromFile : parseDevVars(text, "PROD_VARS");
  if (Object.keys(vars).length === 0)
    throw new Error(`There is no ${basename(path)}, or nothing in it, and PROD_VARS is empty: docs/deploying.md, step 5.`);
  readConfig({ ...vars, ENVIRONMENT: "production" });
  return vars;
}

/** The variables of a file in the form of `.dev.vars`; none when there is no such file. */
async function readDevVars(path: string): Promise<Vars> {
  const name = basename(path);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new Error(`${name} could not be read: ${error instanceof Error ? error.message : String(error)}.`, { cause: error });
  }
  return parseDevVars(text, name);
}

function unquote(value: string): string | undefined {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value.replace(/\s+#.*$/, "");
  const end = value.indexOf(quote, 1);
  if (end === -1 || !/^\s*(#.*)?$/.test(value.slice(end + 1))) return undefined;
  return value.slice(1, end);
}
