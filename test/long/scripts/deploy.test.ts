/** The whole of `npm run deploy`, from a clone of this very tree and as somebody types it, against the platform's stand-in. */
import { execFile, execFileSync } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { inRoot, ROOT } from "../../../scripts/lib/paths.ts";
import { newAccount, runningVersion } from "../../simulators/cloudflare/account.ts";
import { type CloudflareSimulator, startCloudflare } from "../../simulators/cloudflare/server.ts";

const ORIGIN = "https://chat.example.com";

let clone: string;
/** What npm and wrangler keep for themselves. */
let home: string;
let cloudflare: CloudflareSimulator;

/** This tree as it is, as a repository of its own with one commit. */
async function cloneTree(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "polylogue-clone-"));
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" });
  for (const file of listed.split("\0").filter((path) => path !== "")) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(inRoot(file), join(folder, file)).catch(() => undefined);
  }
  await symlink(inRoot("node_modules"), join(folder, "node_modules"));
  git(folder, "init", "-q", "-b", "main");
  await writeFile(join(folder, ".git", "info", "exclude"), "node_modules\n");
  commit(folder, "all of it");
  return folder;
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com", ...args], {
    cwd: folder,
    encoding: "utf8",
  }).trim();
}

function commit(folder: string, subject: string): void {
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", subject);
}

type Ran = { code: number; output: string };

/** Runs a command of the workflow or the documents in the clone, with no account but the stand-in's in reach. */
function run(command: string, env: Record<string, string> = {}): Promise<Ran> {
  const [program = "", ...args] = command.split(" ");
  const own = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
    CLOUDFLARE_API_TOKEN: "token-of-the-tests",
    DEPLOYMENT_URL: cloudflare.deployedAt(env["STAGE"] ? `polylogue-${env["STAGE"]}` : "polylogue"),
    // No registry is asked about weaknesses.
    npm_config_registry: "http://127.0.0.1:9",
    npm_config_fetch_retries: "0",
    npm_config_audit: "false",
  };
  return new Promise((resolve) => {
    const options = { cwd: clone, env: { ...own, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
}

const deploy = (env: Record<string, string> = {}) => run("npm run deploy -- --checked", env);

describe.skipIf(inject("longSeed") === null)("npm run deploy", () => {
  beforeAll(async () => {
    cloudflare = await startCloudflare({ account: newAccount({ fresh: true }) });
    clone = await cloneTree();
    home = await mkdtemp(join(tmpdir(), "polylogue-home-"));
    await writeFile(join(clone, ".prod.vars"), `APP_ORIGIN=${ORIGIN}\nOPENROUTER_API_KEY=key-of-the-house\n`);
  });

  afterAll(async () => {
    await cloudflare.close();
    for (const folder of [clone, home]) await rm(folder, { recursive: true, force: true });
  });

  const worker = (name = "polylogue") => cloudflare.account.workers.get(name);

  test("names all that a fresh account lacks, then deploys whole once it is there, whatever broke on the way", async () => {
    const fresh = await deploy();
    expect(fresh.code).toBe(1);
    expect(fresh.output).toMatch(
      /- Workers was never opened[\s\S]*- R2 is not switched on[\s\S]*code: 10042[\s\S]*- The domain of APP_ORIGIN/,
    );
    expect(cloudflare.requests().filter(({ method }) => method !== "GET")).toEqual([]);

    Object.assign(cloudflare.account, newAccount(), { plan: "free" });
    const free = await deploy();
    expect(free.output).toContain("The product needs the Workers Paid plan");
    expect(cloudflare.account.queues.size + cloudflare.account.databases.size).toBe(0);

    cloudflare.account.plan = "paid";
    cloudflare.fail({ on: /^POST \/A\/d1\/database$/, code: 7406, message: "Too many databases", times: 1 });
    expect((await deploy()).output).toContain("Too many databases [code: 7406]");
    cloudflare.fail({ on: /^POST \/A\/d1\/database\/.*\/query$/, code: 7500, message: "The database is away", times: 1 });
    const unmigrated = await deploy();
    expect(unmigrated.output).toMatch(/The database is away[\s\S]*could not be migrated, and nothing was deployed/);
    cloudflare.fail({ on: /^PUT \/A\/workers\/scripts\/polylogue$/, code: 10021, message: "The script is too slow to start", times: 1 });
    const refused = await deploy();
    expect(refused.output).toMatch(/The script is too slow to start[\s\S]*could not be deployed whole/);
    cloudflare.account.records.add("chat.example.com");
    expect((await deploy()).output).toMatch(/could not be led to it\. Cloudflare says:\nHostname 'chat\.example\.com' already has/);
    cloudflare.account.records.clear();

    const done = await deploy();
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining("the session, and a turn with cheap/model") });
    expect(done.output).not.toContain("key-of-the-house");
    expect(cloudflare.account.domains).toMatchObject([{ hostname: "chat.example.com", service: "polylogue" }]);
    expect(cloudflare.account.assets.size).toBeGreaterThan(100);
    const secrets = runningVersion(worker())
      ?.bindings.filter(({ type }) => type === "secret_text")
      .map(({ name }) => name);
    expect(secrets).toEqual(expect.arrayContaining(["SESSION_SECRET", "CREDENTIAL_KEYS", "DEPLOYMENT_SECRET", "OPENROUTER_API_KEY"]));
    expect(git(clone, "status", "--porcelain")).toBe("");
  });

  test("deploys the next commit, and says how to go back from one that does not answer", async () => {
    const before = git(clone, "rev-parse", "--short=12", "HEAD");
    const sessionSecret = () => runningVersion(worker())?.bindings.find(({ name }) => name === "SESSION_SECRET")?.text;
    const secretBefore = sessionSecret();
    await appendFile(join(clone, "README.md"), "\nOne line more.\n");
    const dirty = await deploy();
    expect(dirty).toMatchObject({ code: 1, output: expect.stringMatching(/in no commit yet:\n M README\.md/) });
    commit(clone, "one line more");
    cloudflare.behave("no turn");
    const broken = await deploy();
    cloudflare.reset();
    expect(broken.code).toBe(1);
    expect(broken.output).toContain("did not answer: unauthenticated.");
    expect(broken.output).toContain(`git revert --no-edit ${before}..HEAD`);
    expect(sessionSecret()).toBe(secretBefore);
    git(clone, "revert", "--no-edit", `${before}..HEAD`);
    expect((await deploy()).code).toBe(0);
  });

  test("makes a second copy of its own, with the file of its own", async () => {
    const isProduction = (name: string) => !name.startsWith("polylogue-preview");
    const state = () => {
      const { queues, databases, buckets } = cloudflare.account;
      const ofProduction = [...queues.values()].filter(({ queue_name: name }) => isProduction(name));
      const names = [...databases.keys(), ...buckets].filter(isProduction);
      return structuredClone({ worker: worker(), queues: ofProduction, names, database: databases.get("polylogue")?.uuid });
    };
    const production = state();
    expect((await deploy({ STAGE: "preview" })).output).toContain("There is no .preview.vars, or nothing in it");
    await writeFile(join(clone, ".preview.vars"), `APP_ORIGIN=${ORIGIN}\n`);
    expect((await deploy({ STAGE: "preview" })).output).toContain("which leads to the Worker polylogue");
    await writeFile(join(clone, ".preview.vars"), "APP_ORIGIN=https://preview.example.com\nOPENROUTER_API_KEY=key-of-the-house\n");
    expect(await deploy({ STAGE: "preview" })).toMatchObject({ code: 0 });
    expect(state()).toEqual(production);
    expect([...cloudflare.account.databases.keys(), ...cloudflare.account.buckets].filter((name) => !isProduction(name))).toEqual([
      "polylogue-preview",
      "polylogue-preview-files",
    ]);
    // None of its bindings leads to anything of production's.
    expect(JSON.stringify(runningVersion(worker("polylogue-preview")))).not.toMatch(/"polylogue(?!-preview)/);
    const secretOf = (name: string) => runningVersion(worker(name))?.bindings.find((one) => one.name === "SESSION_SECRET")?.text;
    expect(secretOf("polylogue-preview")).not.toBe(secretOf("polylogue"));
    expect(cloudflare.account.domains.map(({ hostname, service }) => `${hostname} ${service}`)).toEqual([
      "chat.example.com polylogue",
      "preview.example.com polylogue-preview",
    ]);
    const jobs = await run("npm run jobs -- --remote", { STAGE: "preview" });
    expect(jobs).toMatchObject({ code: 0 });
  });

  test("refuses a list of classes that is older than what runs, before anything is checked or made", async () => {
    const path = join(clone, "wrangler.jsonc");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/\{ "tag": "v3".*\n/, ""));
    commit(clone, "an older list");
    const older = await run("npm run deploy");
    expect(older).toMatchObject({ code: 1, output: expect.stringContaining("put that list back as it was") });
    git(clone, "revert", "--no-edit", "HEAD");
  });

  test("makes nothing where the check fails, which it runs unless it was the step before", async () => {
    await writeFile(join(clone, "scripts", "check.ts"), 'process.stdout.write("This is the check.\\n");\nprocess.exit(1);\n');
    commit(clone, "a check that fails");
    const last = cloudflare.requests().at(-1);
    const failed = await run("npm run deploy");
    expect(failed).toMatchObject({
      code: 1,
      output: expect.stringMatching(/This is the check\.[\s\S]*Nothing was deployed, as `npm run check` fails\./),
    });
    const since = cloudflare.requests().slice(cloudflare.requests().findIndex((request) => request === last) + 1);
    expect(since.length).toBeGreaterThan(0);
    expect(since.filter(({ method }) => method !== "GET")).toEqual([]);
    git(clone, "revert", "--no-edit", "HEAD");
  });

  test("goes by the workflow's steps from a repository that has no file of variables", async () => {
    await rm(join(clone, ".prod.vars"));
    const workflow = await readFile(join(clone, ".github", "workflows", "deploy.yml"), "utf8");
    const secrets: Record<string, string> = {
      CLOUDFLARE_API_TOKEN: "token-of-the-tests",
      CLOUDFLARE_ACCOUNT_ID: "0123456789abcdef0123456789abcdef",
      PROD_VARS: `APP_ORIGIN=${ORIGIN}\nOPENROUTER_API_KEY=key-of-the-house\n`,
    };
    const given = [...workflow.matchAll(/^ +(\w+): \$\{\{ secrets\.(\w+) \}\}$/gm)].map(([, name = "", secret = ""]) => [
      name,
      secrets[secret] ?? "",
    ]);
    // The look and the deployment are given the same.
    expect(given).toHaveLength(2 * Object.keys(secrets).length);
    // The check is what this test is a part of.
    const steps = [...workflow.matchAll(/^\s*- run: (.*)$/gm)]
      .map(([, command = ""]) => command)
      .filter((command) => command !== "npm run check");
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) expect(await run(step, { STAGE: "", ...Object.fromEntries(given) })).toMatchObject({ code: 0 });
  });
});
