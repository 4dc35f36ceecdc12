/** Asks a new deployment for its session and for a turn with the cheapest model, as whoever opens it would. */
import * as z from "zod";
import type { Copy } from "./copy.ts";
import type { Ready } from "./missing.ts";
import { reasonOf } from "./platform.ts";

/** A new version reaches all of the platform within seconds; the certificate of a new domain takes minutes. */
const WAIT_MS = 5_000;
const TRIES = 12;
const TRIES_OF_NEW_DOMAIN = 120;
/** A model may be busy once; more would only cost. */
const TURNS = 3;
const ANSWER_MS = 90_000;

const Session = z.object({ features: z.object({ version: z.string() }) });
const Turn = z.object({ version: z.string(), model: z.string(), text: z.string().min(1) });
const Refusal = z.object({ error: z.string() });

type Asked = { at: string; secret: string; version: string; hasNewDomain: boolean; wait?: (ms: number) => Promise<void> };

/** Resolves once the deployment answers as the version that was uploaded. Throws one sentence on what it did instead. */
export async function verify({ at, secret, version, hasNewDomain, wait = sleep }: Asked): Promise<void> {
  const tries = hasNewDomain ? TRIES_OF_NEW_DOMAIN : TRIES;
  let turns = TURNS;
  for (let left = tries; ; left -= 1) {
    const { sentence, isTurn } = await troubleOf({ at, secret, version });
    if (sentence === null) return;
    if (isTurn) turns -= 1;
    if (left === 1 || turns === 0) throw new Error(sentence);
    if (left === tries) process.stdout.write(`Waiting for the new version: ${sentence}\n`);
    await wait(WAIT_MS);
  }
}

/** What a deployment did in the place of answering, null where it did answer, and whether it was a turn that failed. */
type Trouble = { sentence: string | null; isTurn: boolean };

async function troubleOf({ at, secret, version }: Pick<Asked, "at" | "secret" | "version">): Promise<Trouble> {
  const session = await ask(`${at}/api/auth/session`, Session);
  if ("sentence" in session) return { sentence: session.sentence, isTurn: false };
  const found = session.body.features.version;
  if (found !== version) return { sentence: `${at} is still the version ${found}, not ${version}.`, isTurn: false };
  const turn = await ask(`${at}/api/deployment/turn`, Turn, { method: "POST", headers: { authorization: `Bearer ${secret}` } });
  // Another of the platform's machines may be the version before still, which knows another secret or no such address.
  if ("sentence" in turn) return { sentence: turn.sentence, isTurn: ![401, 404].includes(turn.status) };
  process.stdout.write(`${at} answers as the version ${version}: the session, and a turn with ${turn.body.model}.\n`);
  return { sentence: null, isTurn: false };
}

async function ask<T>(
  url: string,
  schema: z.ZodType<T>,
  init: RequestInit = {},
): Promise<{ body: T } | { sentence: string; status: number }> {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(ANSWER_MS), ...init });
    const json: unknown = await response.json().catch(() => null);
    const { data } = schema.safeParse(json);
    if (response.ok && data) return { body: data };
    const said = Refusal.safeParse(json).data?.error ?? "with something else than the product's answer";
    return { sentence: `${url} answered ${response.status}: ${said}`, status: response.status };
  } catch (error) {
    return { sentence: `${url} cannot be reached: ${reasonOf(error)}`, status: 0 };
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What is said of a deployment that does not answer: why, and how to have the one before it back. */
export function howToGoBack(reason: string, { worker, command }: Copy, previous: Ready["previous"]): string {
  const head = `The new version is up, but does not answer as it should: ${reason}`;
  if (previous === "none") {
    return `${head}\nNo other commit was deployed yet, so there is nothing to go back to. Once the cause is gone, run \`${command}\` again.`;
  }
  // The deployment's own sentence has what to do (worker/doors/deployment/routes.ts).
  if (reason.includes("going back does not help")) return head;
  const { commit, version } = previous === "unknown" ? { commit: "COMMIT", version: "VERSION_ID" } : previous;
  return [
    head,
    ...(previous === "unknown"
      ? [`\`npx wrangler versions list --name ${worker}\` has the VERSION_ID from before, and its tag is the COMMIT.`]
      : []),
    "To go back at once, where this release brought no Durable Object class (say yes to its questions):",
    `  npx wrangler rollback ${version} --name ${worker}`,
    "The next deployment undoes that, so then take the release back:",
    `  1. git revert --no-edit ${commit}..HEAD`,
    "  2. If that changed `migrations` in wrangler.jsonc, put the list back as it was, with the classes that it names, and commit.",
    `  3. ${command}, in an emergency ACCEPT_WEAKNESSES=true ${command} -- --checked`,
    "  4. Push it, or the next deployment from the repository brings the release back.",
    "docs/operations.md, Going back, has the reasons.",
  ].join("\n");
}
