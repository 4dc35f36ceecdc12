import { runCommand } from "./run-command.ts";

/** Which browser tests to run: all, or these files of `test/e2e` alone. */
export type Reach = "all" | readonly string[];

/** Every part of the product has its word in these: the first minutes with it, and each screen's structure and colours. */
const ALWAYS = ["accessibility", "first-minutes"];

/** What Firefox and WebKit are tried with. */
const JOURNEYS = "test/browsers";

/** A topic that only some browser tests meet, by its folder in a wing of web/features or worker; one that is not named here reaches all. */
export const MET_BY: Record<string, readonly string[]> = {
  about: ["everywhere"],
  attachments: ["attachments", "around-a-chat", "phone"],
  autopilot: ["autopilot"],
  changelog: ["everywhere", "phone", "signing-in", "without-a-mouse"],
  credits: ["credits"],
  docs: ["everywhere"],
  feedback: ["settings"],
  fork: ["around-a-chat", "sharing"],
  imports: ["imports"],
  media: ["remote-images", "exfiltration"],
  "public-chats": ["sharing"],
  "public-page": ["sharing", "everywhere"],
  queue: ["queue", "come-back", "faults"],
  "read-aloud": ["voice"],
  research: ["research"],
  search: ["search", "without-a-mouse"],
  settings: ["settings", "models", "phone", "tools", "without-a-mouse"],
  sharing: ["sharing", "inbox", "phone", "manage-chats"],
  todos: ["tools"],
  "tool-settings": ["settings", "tools"],
  transcriptions: ["recording"],
  usage: ["credits"],
  voice: ["voice", "recording", "phone"],
};

/** What nothing in a browser depends on. */
const UNSEEN = /\.md$|^docs\/|^\.github\/|^test\/(?!e2e\/|browsers\/|simulators\/|support\/)|^scripts\/(?!lib\/)/;

/**
 * The browser tests that changed files reach: a test by itself, a feature those that meet it, its side in the browser all journeys
 * of the other browsers too, and all else that a browser could see every test. `changed` are paths from the repository's root, with slashes.
 */
export function reachedInBrowser(changed: readonly string[]): Reach {
  const reached = new Set<string>();
  for (const path of changed.filter((file) => file === "CHANGELOG.md" || !UNSEEN.test(file))) {
    const test = /^test\/e2e\/([\w-]+)\.test\.ts$/.exec(path)?.[1];
    const feature = path === "CHANGELOG.md" ? "changelog" : /^(?:web\/features|worker)\/[\w-]+\/([\w-]+)\//.exec(path)?.[1];
    const meeting = feature === undefined ? undefined : MET_BY[feature];
    const files = (names: readonly string[]) => names.map((name) => `test/e2e/${name}.test.ts`);
    const met = meeting && [...files([...ALWAYS, ...meeting]), ...(path.startsWith("web/") ? [JOURNEYS] : [])];
    const own = path.startsWith(`${JOURNEYS}/`) ? [JOURNEYS] : test && files([test]);
    const found = own ?? met;
    if (!found) return "all";
    for (const file of found) reached.add(file);
  }
  return [...reached].toSorted();
}

/** The files that differ from a commit, those that git does not know yet included; deleted ones too. */
export async function changedSince(commit: string): Promise<string[]> {
  const lists = [
    ["diff", "--name-only", commit],
    ["ls-files", "--others", "--exclude-standard"],
  ].map(async (args) => {
    const { code, output } = await runCommand("git", args, { quiet: true });
    if (code !== 0) throw new Error(`git could not tell what changed since ${commit}: ${output.trim()}`);
    return output.split("\n").filter((line) => line !== "");
  });
  return (await Promise.all(lists)).flat();
}
