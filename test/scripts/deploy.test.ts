import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { experimental_readRawConfig as readRawConfig, unstable_readConfig as readConfig } from "wrangler";
import { VARIABLE_NAMES } from "#worker/platform/config/config.ts";
import { copyOf, inCopy } from "../../scripts/lib/deploy/copy.ts";
import { requireReady } from "../../scripts/lib/deploy/missing.ts";
import { openPlatform, type Platform } from "../../scripts/lib/deploy/platform.ts";
import { makeResources } from "../../scripts/lib/deploy/resources.ts";
import { bookmarkOfNow, restoreDatabase } from "../../scripts/lib/deploy/restore.ts";
import { upload } from "../../scripts/lib/deploy/upload.ts";
import { howToGoBack, verify } from "../../scripts/lib/deploy/verify.ts";
import type { Vars } from "../../scripts/lib/dev-vars.ts";
import { inRoot } from "../../scripts/lib/paths.ts";
import { runCommand } from "../../scripts/lib/run-command.ts";
import { ACCOUNT_ID, newAccount, runningVersion } from "../simulators/cloudflare/account.ts";
import { type CloudflareSimulator, startCloudflare } from "../simulators/cloudflare/server.ts";
import { smallBuild } from "../support/small-build.ts";

const ORIGIN = "https://chat.example.com";
const FORTNIGHT_S = 1_209_600;
const PRODUCTION = copyOf(undefined);
const PREVIEW = copyOf("preview");

/** Four starts of wrangler, each of which takes seconds, and many where a machine is busy: a limit against hanging. */
const WRANGLER_MS = 5 * 60_000;

/** A platform of this test's own, opened by wrangler once for all. */
let cloudflare: CloudflareSimulator;
let platform: Platform;
let printed: string[];

/** Where this computer's own account is out of reach. */
async function useSimulatorOnly(): Promise<void> {
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.url);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token-of-the-tests");
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", undefined);
  // As scripts/run.mjs has it.
  vi.stubEnv("WRANGLER_SEND_METRICS", "false");
  vi.stubEnv("WRANGLER_HIDE_BANNER", "true");
  vi.stubEnv("CLOUDFLARE_CF_FETCH_ENABLED", "false");
  vi.stubEnv("WRANGLER_LOG_PATH", await mkdtemp(join(tmpdir(), "polylogue-wrangler-")));
}

beforeAll(async () => {
  cloudflare = await startCloudflare();
  await useSimulatorOnly();
  platform = await openPlatform();
  // It starts wrangler, which takes seconds of a busy machine.
}, 60_000);

beforeEach(async () => {
  Object.assign(cloudflare.account, newAccount());
  cloudflare.reset();
  await useSimulatorOnly();
  printed = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  }
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  vi.unstubAllEnvs();
  await cloudflare.close();
});

const VARS = { APP_ORIGIN: ORIGIN, OPENROUTER_API_KEY: "key" };
const COMMIT = "0123456789ab";
const ready = (
  copy = PRODUCTION,
  { origin = ORIGIN, commit = COMMIT, vars = VARS }: { origin?: string; commit?: string; vars?: Vars } = {},
) => requireReady(platform, copy, { origin, commit, vars });

/** The newest request so far. */
const newest = () => cloudflare.requests().at(-1);

/** What was asked of the platform since a request, but for reading. */
function changesSince(request: ReturnType<typeof newest>): string[] {
  const all = cloudflare.requests();
  return all
    .slice(request ? all.indexOf(request) + 1 : 0)
    .filter(({ method, body }) => method !== "GET" && !isSelect(body))
    .map(({ method, path }) => `${method} ${path.replace(/^.*\/accounts\/[^/]+\//, "")}`);
}

/** What is read of a database is asked for by a POST too. */
const isSelect = (body: unknown) => String(Object(body).sql).startsWith("SELECT ");

test("what an account lacks is named all at once on the first day, with what to do, and nothing is made", async () => {
  Object.assign(cloudflare.account, newAccount({ fresh: true }));
  const before = newest();
  const refused = await ready().then(
    () => "",
    (error: unknown) => String(error),
  );
  expect(refused).toContain("Nothing was made or deployed yet, as this is missing:");
  expect(refused).toContain(`- Workers was never opened in this account`);
  expect(refused).toContain(`https://dash.cloudflare.com/${ACCOUNT_ID}/workers/onboarding`);
  expect(refused).toContain("- R2 is not switched on in this account");
  expect(refused).toContain("Cloudflare says: Please enable R2 through the Cloudflare Dashboard. [code: 10042]");
  expect(refused).toContain("- The domain of APP_ORIGIN, chat.example.com, is none of this account's, or your token may not see it:");
  expect(changesSince(before)).toEqual([]);
});

test("what an account lacks may be a domain that is not active, an address that another Worker has, or one at workers.dev that is another's", async () => {
  cloudflare.account.zones = [{ id: "zone", name: "example.com", status: "pending" }];
  await expect(ready()).rejects.toThrow("The domain example.com is pending, not active");
  Object.assign(cloudflare.account, newAccount());
  cloudflare.account.domains = [{ id: "1", hostname: "chat.example.com", service: "shop", zone_id: "zone", environment: "production" }];
  await expect(ready()).rejects.toThrow("APP_ORIGIN is https://chat.example.com, which leads to the Worker shop");
  await expect(ready(PREVIEW, { origin: "https://polylogue.someone.workers.dev" })).rejects.toThrow(
    "this copy's address at workers.dev is https://polylogue-preview.someone.workers.dev.",
  );
  expect(await ready(PREVIEW, { origin: "https://polylogue-preview.someone.workers.dev" })).toMatchObject({
    hasDomain: true,
    zoneId: null,
  });
});

test("what an account lacks is the right to something where the platform says so, in its whole words", async () => {
  cloudflare.fail({ on: /^GET \/A\/d1/, code: 10000, message: "Authentication error: d1 read is missing" });
  await expect(ready()).rejects.toThrow(
    "could not be listed. The token may lack the right to it (docs/deploying.md, step 4). Cloudflare says: Authentication error: d1 read is missing [code: 10000]",
  );
});

test("what an account lacks is nothing once somebody followed the steps", async () => {
  expect(await ready()).toEqual({
    queues: new Map(),
    buckets: new Set(),
    databaseId: null,
    zoneId: "zone-of-example",
    hasDomain: false,
    secrets: [],
    previous: "none",
  });
});

test("what an account lacks is an account that is none of one's own, in one sentence, and no plan where it is a right", async () => {
  cloudflare.fail({ on: /^GET \/A\//, code: 7003, message: "Could not route to /accounts/x" });
  await expect(ready()).rejects.toThrow(/^You are in no account of this CLOUDFLARE_ACCOUNT_ID/);
  cloudflare.reset();
  cloudflare.fail({ on: /^GET \/A\/queues/, code: 10000, message: "Authentication error" });
  await expect(ready()).rejects.toThrow("Queues cannot be used. The token may lack the right to it (docs/deploying.md, step 4).");
  // As a workflow hands on a secret that its repository does not have.
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", "");
  expect(await openPlatform()).toMatchObject({ accountId: ACCOUNT_ID });
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "wrong");
  await expect(openPlatform()).rejects.toThrow(
    "Cloudflare does not let you in: run `npx wrangler login`, or make a new CLOUDFLARE_API_TOKEN",
  );
});

test("what an account lacks is a variable without which nothing would work, or one that is mistyped", async () => {
  const refused = ready(PRODUCTION, { vars: { APP_ORIGIN: ORIGIN, OPENROUTR_API_KEY: "key" } });
  await expect(refused).rejects.toThrow(
    /- \.prod\.vars names OPENROUTR_API_KEY, which is no variable of this product[^-]*\n- OPENROUTER_API_KEY is not in \.prod\.vars/,
  );
});

describe("a look", () => {
  /** Of a copy that has no file of variables here. It is `--checked`, so that whatever goes wrong begins no checks. */
  const look = (args: string[], env: Record<string, string> = {}) =>
    runCommand(process.execPath, [inRoot("scripts", "deploy.ts"), "--checked", ...args], {
      quiet: true,
      env: { ...env, STAGE: "looked-at", PROD_VARS: `APP_ORIGIN=${ORIGIN}\nOPENROUTER_API_KEY=key\n` },
    });

  test(
    "the check before a deployment says what is missing and ends with an error, or says that nothing is, and makes nothing",
    async () => {
      Object.assign(cloudflare.account, newAccount({ fresh: true }));
      const before = newest();
      expect(await look(["--look"])).toMatchObject({
        code: 1,
        output: expect.stringMatching(/- Workers was never[\s\S]*- R2 is not[\s\S]*- The domain/),
      });
      Object.assign(cloudflare.account, newAccount());
      // As npm hands it on where somebody forgot the `--`.
      expect(await look([], { npm_config_look: "true" })).toEqual({
        code: 0,
        output: "Nothing is missing that can be seen from here: `STAGE=looked-at npm run deploy` can begin.\n",
      });
      expect(newest()).not.toBe(before);
      expect(changesSince(before)).toEqual([]);
    },
    WRANGLER_MS,
  );
});

test("what a copy keeps its data in is made once, wherever it stopped before, with queues that keep messages for 14 days", async () => {
  cloudflare.fail({ on: /^POST \/A\/r2/, code: 10001, message: "Internal error, please try later", times: 1 });
  const failed = makeResources(platform, PRODUCTION, await ready());
  await expect(failed).rejects.toThrow(
    "The R2 bucket polylogue-files could not be made, and nothing was deployed. Cloudflare says:\nInternal error, please try later [code: 10001]",
  );
  const before = newest();
  const id = await makeResources(platform, PRODUCTION, await ready());
  expect(changesSince(before)).toEqual(["POST r2/buckets", "POST d1/database"]);
  const { queues, buckets, databases } = cloudflare.account;
  expect([...queues.keys()].slice(0, 2)).toEqual(["polylogue-jobs-dead", "polylogue-reads-dead"]);
  expect([...queues.keys()].toSorted()).toEqual([...PRODUCTION.queues].toSorted());
  for (const { settings } of queues.values()) expect(settings.message_retention_period).toBe(FORTNIGHT_S);
  expect([...buckets]).toEqual(["polylogue-files"]);
  expect(databases.get("polylogue")?.uuid).toBe(id);
  const again = newest();
  expect(await makeResources(platform, PRODUCTION, await ready())).toBe(id);
  expect(changesSince(again)).toEqual([]);
});

test("what a copy keeps its data in has its bucket and its database where the deployer says, or else where the platform thinks best", async () => {
  const lastTwo = () =>
    cloudflare
      .requests()
      .slice(-2)
      .map(({ body }) => body);
  await makeResources(platform, copyOf("preview", "apac"), await ready(PREVIEW));
  expect(lastTwo()).toEqual([
    { name: "polylogue-preview-files", locationHint: "apac" },
    { name: "polylogue-preview", primary_location_hint: "apac" },
  ]);
  await makeResources(platform, copyOf(undefined, ""), await ready());
  expect(lastTwo()).toEqual([{ name: "polylogue-files" }, { name: "polylogue" }]);
  const before = newest();
  await makeResources(platform, copyOf(undefined, "weur"), await ready());
  expect(changesSince(before)).toEqual([]);
  expect(printed.join("")).toContain("D1_LOCATION is passed over: the database polylogue is there, and stays where it was made.");
  expect(() => copyOf(undefined, "europe")).toThrow(
    'D1_LOCATION is "europe": give one of weur, eeur, wnam, enam, apac, oc, or leave it out.',
  );
});

test("what a copy keeps its data in has a database that is set back to a time or a bookmark, by its id, and says the way back", async () => {
  for (const copy of [PRODUCTION, PREVIEW]) {
    const id = await makeResources(platform, copy, await ready(copy));
    expect(await bookmarkOfNow(platform, copy)).toBe("bookmark-of-now");
    const before = newest();
    const restored = await restoreDatabase(platform, copy, "2026-11-22T03:00:00+01:00");
    expect(restored).toEqual({ bookmark: "bookmark-of-2026-11-22T02:00:00.000Z", before: "bookmark-of-now" });
    expect(await restoreDatabase(platform, copy, restored.before)).toEqual({ bookmark: restored.before, before: restored.bookmark });
    expect(changesSince(before)).toEqual(Array(2).fill(`POST d1/database/${id}/time_travel/restore`));
  }
  await expect(restoreDatabase(platform, PRODUCTION, "2026-13-40T99:00:00Z")).rejects.toThrow(
    "is no time: write it as 2026-11-22T03:00:00Z",
  );
  await expect(bookmarkOfNow(platform, copyOf("other"))).rejects.toThrow("This account has no polylogue-other");
});

test("what a copy keeps its data in keeps messages for 14 days also where it was made for four, and what else was set of a queue stays", async () => {
  await makeResources(platform, PRODUCTION, await ready());
  const queue = cloudflare.account.queues.get("polylogue-jobs");
  if (!queue) throw new Error("There is no queue.");
  queue.settings = { message_retention_period: 345_600, delivery_delay: 7 };
  const before = newest();
  await makeResources(platform, PRODUCTION, await ready());
  expect(changesSince(before)).toEqual([`PUT queues/${queue.queue_id}`]);
  expect(newest()?.body).toEqual({
    queue_name: "polylogue-jobs",
    settings: { message_retention_period: FORTNIGHT_S, delivery_delay: 7 },
  });
});

test("what a copy keeps its data in is left alone where version 0.1 made the database, and what to do is said", async () => {
  await makeResources(platform, PRODUCTION, await ready());
  const sql = cloudflare.account.databases.get("polylogue")?.sql;
  sql?.exec("CREATE TABLE d1_migrations (name TEXT); INSERT INTO d1_migrations VALUES ('0001_baseline.sql')");
  await ready();
  sql?.exec("INSERT INTO d1_migrations VALUES ('0001_users.sql')");
  const before = newest();
  await expect(ready()).rejects.toThrow(
    /^Nothing was made or deployed yet[\s\S]*polylogue is of version 0\.1\. The last commit of 0\.1 goes on serving it\. [\s\S]*'Export everything'/,
  );
  expect(changesSince(before)).toEqual([]);
});

test("what a copy keeps its data in is not begun on the free plan, which is said", async () => {
  cloudflare.account.plan = "free";
  const failed = makeResources(platform, PRODUCTION, await ready());
  await expect(failed).rejects.toThrow(
    /at most 86400 seconds on the free plan\. \[code: 100128\]\nThe product needs the Workers Paid plan/,
  );
  const { queues, buckets, databases } = cloudflare.account;
  expect([queues.size, buckets.size, databases.size]).toEqual([0, 0, 0]);
});

describe("a deployment", () => {
  const bindingsOf = (worker: string) =>
    new Map(runningVersion(cloudflare.account.workers.get(worker))?.bindings.map((one) => [one.name, one]));

  test(
    "a deployment is uploaded by wrangler, and again with its secrets kept",
    async () => {
      const deploy = async (version: string, vars: Vars = { ...VARS, TITLE_MODEL: "a/b" }) =>
        upload({
          platform,
          copy: PRODUCTION,
          ready: await ready(),
          build: await smallBuild(version),
          commit: COMMIT,
          vars,
          origin: ORIGIN,
        });
      const secret = await deploy("one");
      const { workers, domains, databases, queues } = cloudflare.account;
      const worker = workers.get("polylogue");
      expect(worker).toMatchObject({ migrationTag: PRODUCTION.classTags.at(-1), isAtWorkersDev: false, crons: readProductCrons() });
      expect(domains).toMatchObject([{ hostname: "chat.example.com", service: "polylogue" }]);
      expect([...queues.values()].flatMap(({ consumers }) => consumers.map(({ script }) => script))).toEqual(
        Array(queues.size).fill("polylogue"),
      );
      const applied = databases.get("polylogue")?.sql.prepare("SELECT COUNT(*) AS n FROM d1_migrations").get();
      expect(Number(applied?.["n"])).toBeGreaterThan(0);
      const first = bindingsOf("polylogue");
      expect(first.get("DEPLOYMENT_SECRET")).toMatchObject({ type: "secret_text", text: secret });
      expect(first.get("VERSION")).toMatchObject({ text: "one" });
      expect(first.get("DB")).toMatchObject({ type: "d1" });
      for (const name of ["SESSION_SECRET", "CREDENTIAL_KEYS", "VAPID_PRIVATE_KEY"]) expect(first.get(name)?.type).toBe("secret_text");
      expect(printed.join("")).not.toContain(secret);

      const before = newest();
      const renewed = await deploy("two", VARS);
      expect(printed.join("")).toContain("TITLE_MODEL: not in .prod.vars, but set before, and kept.");
      const second = bindingsOf("polylogue");
      expect(renewed).not.toBe(secret);
      expect(second.get("VERSION")).toMatchObject({ text: "two" });
      expect(second.get("SESSION_SECRET")).toEqual(first.get("SESSION_SECRET"));
      const made = changesSince(before).filter((change) => /^POST (?:queues|r2\/buckets|d1\/database)$|workers\/domains/.test(change));
      expect(made).toEqual([]);
      expect(await ready()).toMatchObject({ hasDomain: true, previous: "none" });
      const next = { commit: "ba9876543210" };
      const running = () => runningVersion(cloudflare.account.workers.get("polylogue"))?.id;
      expect(await ready(PRODUCTION, next)).toMatchObject({ previous: { commit: COMMIT, version: running() } });
      const set = { method: "PUT", body: { name: "TITLE_MODEL", text: "c/d", type: "secret_text" } } as const;
      const tagged = running();
      await platform.ask("workers/scripts/polylogue/secrets", z.unknown(), set);
      expect(running()).not.toBe(tagged);
      expect(await ready(PRODUCTION, next)).toMatchObject({ previous: { commit: COMMIT, version: running() } });
      expect(await ready()).toMatchObject({ previous: "none" });
      const older = { ...PRODUCTION, classTags: PRODUCTION.classTags.slice(0, -1) };
      await expect(ready(older)).rejects.toThrow("which `migrations` of wrangler.jsonc has no more: put that list back as it was");
    },
    WRANGLER_MS,
  );
});

function readProductCrons(): string[] | undefined {
  return readConfig({ config: inRoot("wrangler.jsonc") }).triggers.crons;
}

describe("a new deployment that is asked", () => {
  async function deployed(): Promise<{ at: string; secret: string; version: string; hasNewDomain: boolean; wait: () => Promise<void> }> {
    cloudflare.account.workers.set("polylogue", {
      name: "polylogue",
      migrationTag: null,
      classes: new Set(),
      versions: [
        {
          id: "v",
          number: 1,
          annotations: {},
          bindings: [
            { type: "plain_text", name: "VERSION", text: "new" },
            { type: "secret_text", name: "DEPLOYMENT_SECRET", text: "secret" },
          ],
        },
      ],
      deployed: ["v"],
      crons: [],
      isAtWorkersDev: false,
    });
    return { at: cloudflare.deployedAt("polylogue"), secret: "secret", version: "new", hasNewDomain: false, wait: async () => {} };
  }

  test("a new deployment that is asked answers as itself once it has reached every machine", async () => {
    const asked = await deployed();
    cloudflare.behave("as the version before");
    const waits: number[] = [];
    const wait = async () => {
      if (waits.push(waits.length) === 3) cloudflare.behave("as it should");
    };
    await verify({ ...asked, wait });
    expect(waits).toHaveLength(3);
    expect(printed.join("")).toContain("answers as the version new: the session, and a turn with cheap/model.");
  });

  test.each([
    ["no turn", /answered 503: The model cheap\/model did not answer: unauthenticated\.$/],
    ["with an error", /\/api\/auth\/session answered 500: Something went wrong on our side\.$/],
    ["as the version before", /is still the version before, not new\.$/],
  ] as const)("a new deployment that is asked and answers %s has failed, with what it said", async (behaviour, reason) => {
    cloudflare.behave(behaviour);
    await expect(verify(await deployed())).rejects.toThrow(reason);
  });

  test("a new deployment that is asked says how to go back to the commit before, and that there is none at first", () => {
    const before = { commit: "0123456789ab", version: "version-of-before" };
    const text = howToGoBack("It broke.", PRODUCTION, before);
    expect(text).toContain("It broke.");
    expect(text).toContain("git revert --no-edit 0123456789ab..HEAD");
    expect(text).toContain("put the list back as it was");
    expect(text).toContain("npx wrangler rollback version-of-before --name polylogue\n");
    expect(text).toContain("ACCEPT_WEAKNESSES=true npm run deploy -- --checked");
    expect(text).not.toContain("versions list");
    const refused = "the aggregator refused OPENROUTER_API_KEY. Mend that and deploy again; going back does not help.";
    expect(howToGoBack(refused, PRODUCTION, before)).not.toContain("To go back");
    const unknown = howToGoBack("It broke.", PREVIEW, "unknown");
    expect(unknown).toContain("`npx wrangler versions list --name polylogue-preview` has the VERSION_ID from before");
    expect(unknown).toContain("npx wrangler rollback VERSION_ID --name polylogue-preview\n");
    expect(unknown).toContain("STAGE=preview npm run deploy");
    expect(howToGoBack("It broke.", PRODUCTION, "none")).toContain("there is nothing to go back to.");
  });
});

test("a copy's names are its own, each of them", () => {
  expect(PRODUCTION).toMatchObject({ worker: "polylogue", database: "polylogue", buckets: ["polylogue-files"], varsFile: ".prod.vars" });
  expect(PREVIEW).toMatchObject({ worker: "polylogue-preview", database: "polylogue-preview", varsFile: ".preview.vars" });
  expect(PREVIEW.buckets).toEqual(["polylogue-preview-files"]);
  expect(PREVIEW.queues).toEqual(PRODUCTION.queues.map((name) => name.replace("polylogue", "polylogue-preview")));
  const config = JSON.stringify(inCopy(readConfig({ config: inRoot("wrangler.jsonc") }), "preview"));
  expect([...config.matchAll(/"(polylogue[^"]*)"/g)].filter(([, name = ""]) => !name.startsWith("polylogue-preview"))).toEqual([]);
});

test.each(["prod", "production"])("a copy's names have no stage for production, as %s", (stage) => {
  expect(() => copyOf(stage)).toThrow("Production is deployed without STAGE");
});

test.each(["dev", "Preview", "a_b", "-x", "x-", "x".repeat(40), "../x"])("a copy's names are made of no stage like %s", (stage) => {
  expect(() => copyOf(stage)).toThrow(`STAGE is "${stage}"`);
});

describe("the list of Durable Object classes", () => {
  const List = z.object({ migrations: z.array(z.looseObject({ tag: z.string() })).default([]) });
  const listIn = (config: string) => List.parse(readRawConfig({ config }).rawConfig).migrations;

  test("the list of Durable Object classes only grows: an older one would be applied from its start, and refused", async () => {
    const now = listIn(inRoot("wrangler.jsonc"));
    // Deployed, and what follows is held by the history below.
    expect(now.slice(0, 3)).toMatchObject([
      { tag: "v1", new_sqlite_classes: ["ChatRoom", "UserHub", "RateLimiter"] },
      { tag: "v2", new_sqlite_classes: ["PassageIndex"] },
      { tag: "v3", new_sqlite_classes: ["DriveIndex"] },
    ]);
    const { output } = await runCommand("git", ["log", "--format=%H", "--", "wrangler.jsonc"], { quiet: true });
    const file = join(await mkdtemp(join(tmpdir(), "polylogue-classes-")), "wrangler.jsonc");
    for (const commit of output.split("\n").filter((line) => /^[0-9a-f]{40}$/.test(line))) {
      const { output: text } = await runCommand("git", ["show", `${commit}:wrangler.jsonc`], { quiet: true });
      await writeFile(file, text);
      const then = listIn(file);
      expect({ commit, list: now.slice(0, then.length) }).toEqual({ commit, list: then });
    }
  });
});

test("the workflow is made of npm scripts: the account's check, then the code's, then the deployment that relies on it, with the whole history", async () => {
  const workflow = await readFile(inRoot(".github", "workflows", "deploy.yml"), "utf8");
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(inRoot("package.json"), "utf8")));
  const runs = [...workflow.matchAll(/^\s*- run: (.*)$/gm)].map(([, command = ""]) => command);
  expect(runs).toEqual(["npm run deploy -- --look", "npm run check", "npm run deploy -- --checked"]);
  expect(workflow).toMatch(/uses: actions\/checkout@.*\n +with:\n(?: +#.*\n)* +fetch-depth: 0\n/);
  for (const command of runs) expect(scripts).toHaveProperty(command.split(" ")[2] ?? "");
  for (const [, used = ""] of workflow.matchAll(/uses: (\S+)/g)) expect(used).toMatch(/@[0-9a-f]{40}$/);
});

test("the documents name each variable that a deployment may be given", async () => {
  const configuration = await readFile(inRoot("docs/configuration.md"), "utf8");
  const ownOfCommands = /^(?:ENVIRONMENT|VERSION|.*_SIMULATED)$/;
  const given = VARIABLE_NAMES.filter((name) => !ownOfCommands.test(name));
  expect(given.length).toBeGreaterThan(50);
  expect(given.filter((name) => !configuration.includes(`\`${name}\``))).toEqual([]);
});

test("the documents name the mail service's events that its webhook reads, and no other", async () => {
  const paths = ["docs/mail.md", "worker/mail/bounces/webhook.ts"];
  const [guide, webhook] = await Promise.all(paths.map((path) => readFile(inRoot(path), "utf8")));
  const named = [...(guide ?? "").matchAll(/^\| `(email\.\w+)` \|/gm)].map(([, event]) => event);
  const read = [...(webhook ?? "").matchAll(/^ {2}"(email\.\w+)":/gm)].map(([, event]) => event);
  expect(read.length).toBeGreaterThan(0);
  expect(new Set(named)).toEqual(new Set(read));
});

test("the documents exempt the paths at which machines ask from the browser check, each of them", async () => {
  const [guide, app] = await Promise.all(["docs/deploying.md", "worker/app.ts"].map((path) => readFile(inRoot(path), "utf8")));
  const rule = /http\.request\.uri\.path in [\s\S]*?```/.exec(guide ?? "")?.[0] ?? "";
  const exempt = [...rule.matchAll(/"(\/[^"]+)"/g)].map(([, path = ""]) => path);
  const mounts = [...(app ?? "").matchAll(/mountLater\(app, \["([^"]+)"\]|(requireOwnOrigin)\);/g)];
  const inFront = mounts
    .slice(
      0,
      mounts.findIndex(([, , check]) => check !== undefined),
    )
    .map(([, path = ""]) => path);
  expect(inFront.length).toBeGreaterThan(3);
  expect([...inFront, "/mcp", "/v1/*"].map((path) => path.replace(/\*$/, "")).toSorted()).toEqual(exempt.toSorted());
});
