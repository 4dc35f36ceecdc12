import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Build } from "./build/build.ts";
import { runCommand } from "./run-command.ts";

const Audit = z.object({ vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })) });

/** Severities for which nothing is deployed unless it is said that this is known. */
const GRAVE = new Set(["high", "critical"]);

/** Writes the packages that the product is made of beside its build, in CycloneDX's form, with their versions, licences and hashes, those that only build and test it marked; returns the file's path. */
export async function writeInventory({ directory }: Pick<Build, "directory">): Promise<string> {
  // With `--omit=dev` npm leaves out what the product and a tool both need.
  const { code, output } = await npm(["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"]);
  if (code !== 0) throw new Error(`The list of packages could not be made: ${output.trim()}`);
  const path = join(directory, "sbom.cdx.json");
  await writeFile(path, jsonIn(output));
  return path;
}

/** Asks the registry which of the product's packages have known weaknesses. Throws where one is grave and that was not said to be known; where the registry does not answer it is said, as a mended release must go out all the same. */
export async function auditPackages(): Promise<void> {
  const found = weaknessesIn((await npm(["audit", "--omit=dev", "--json"])).output);
  if (found === null) {
    process.stdout.write(
      "npm's registry could not be asked for known weaknesses of the packages: run `npm audit --omit=dev` later. Going on.\n",
    );
    return;
  }
  for (const { name, severity } of found) process.stdout.write(`${name} has a known weakness (${severity}).\n`);
  const grave = found.filter(({ severity }) => GRAVE.has(severity)).map(({ name }) => name);
  if (grave.length === 0 || process.env["ACCEPT_WEAKNESSES"] === "true") return;
  throw new Error(
    `${grave.join(", ")}: nothing was deployed. \`npm audit --omit=dev\` says what is known; ACCEPT_WEAKNESSES=true deploys all the same.`,
  );
}

/** The packages with known weaknesses that `npm audit --json` names; null where it names none because nobody answered. */
export function weaknessesIn(output: string): { name: string; severity: string }[] | null {
  try {
    const { vulnerabilities } = Audit.parse(JSON.parse(jsonIn(output)));
    return Object.entries(vulnerabilities).map(([name, { severity }]) => ({ name, severity }));
  } catch {
    return null;
  }
}

/** npm's own warnings stand around what it answers. */
function jsonIn(output: string): string {
  return output.slice(Math.max(0, output.indexOf("{")), output.lastIndexOf("}") + 1);
}

function npm(args: string[]) {
  const path = process.env["npm_execpath"];
  const all = [...args, "--loglevel=silent"];
  return path?.endsWith(".js") ? runCommand(process.execPath, [path, ...all], { quiet: true }) : runCommand("npm", all, { quiet: true });
}
