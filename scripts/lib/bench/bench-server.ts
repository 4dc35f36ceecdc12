import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod";
import { SERVICES } from "#test/simulators/registry.ts";
import { newestCode } from "#test/support/mailbox.ts";
import type { Build } from "../build/build.ts";
import type { Vars } from "../dev-vars.ts";
import { inRoot } from "../paths.ts";
import { freePort } from "../ports.ts";
import { isGoneReader, serveBuild, type WorkerLog } from "../serve.ts";
import { LOCAL_VARS } from "../local-vars.ts";
import { persistPath, ownSecrets } from "../state.ts";

/** A signed-in account: its id, and the cookie's whole line for a request. */
export type BenchUser = { id: string; cookie: string };

/** A production build that serves a state of its own. */
export type BenchServer = {
  origin: string;
  /**
   * The Worker itself, as load figures ask it: `origin` leads through the local platform's entry, asset router and proxy, three
   * Workers that the product has none of (docs/benchmark.md).
   */
  direct: string;
  /** Where a mail's source is posted with `?from=&to=`, and streams to the Worker's own handler (mail-door.ts). */
  mail: string;
  /** The aggregator's API base, for asking it directly. */
  aggregator: string;
  /** Where a Chrome inspector finds the Worker's isolate; null unless asked for, as looking costs time. */
  inspectorPort: number | null;
  newUser(): Promise<BenchUser>;
  /** Stops the server, runs `work` on the folder of stored objects, and starts the server again on the same port. */
  whileStopped(work: (persistTo: string) => void | Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** Base URLs of the simulators. */
export type SimulatorUrls = z.infer<typeof Urls>;

const Urls = z.object({ aggregator: z.string(), google: z.string(), mailbox: z.string() });
const Verified = z.object({ user: z.object({ id: z.string() }) });

/**
 * State lies in memory where the system offers it: the local runtime runs all objects on one thread, which waits for the disk
 * a dozen times a turn, so the disk and whoever else uses it would be measured (docs/benchmark.md).
 */
const STATE_ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Starts the simulators in a process of their own, and the server with limits out of reach. */
export async function startBenchServer(build: Build, { inspect = false } = {}): Promise<BenchServer> {
  const stateDir = await mkdtemp(join(STATE_ROOT, "polylogue-bench-"));
  const simulators = await startSimulatorProcess();
  const { aggregator, mailbox } = simulators.urls;
  const port = await freePort();
  const directPort = await freePort();
  const mailPort = await freePort();
  const inspectorPort = inspect ? await freePort() : null;
  const vars = benchVars(simulators.urls, await ownSecrets(stateDir));
  const start = () =>
    serveBuild({
      build,
      port,
      directPort,
      mailPort,
      ...(inspectorPort !== null && { inspectorPort }),
      stateDir,
      vars,
      mailboxUrl: mailbox,
      onLog: showError,
    });
  let served = await start();
  const origin = served.url;
  return {
    origin,
    direct: `http://localhost:${directPort}`,
    mail: `http://localhost:${mailPort}`,
    aggregator,
    inspectorPort,
    newUser: () => signUp(origin, mailbox),
    async whileStopped(work) {
      await served.close();
      await work(persistPath(stateDir));
      served = await start();
    },
    async close() {
      await served.close();
      simulators.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** Shows the Worker's errors, except the runtime's own line about a reader that left in the middle of an answer. */
export function showError(log: WorkerLog): void {
  if (log.level === "error" && !isGoneReader(log)) process.stderr.write(`worker error: ${log.message}\n`);
}

/** Variables of a server whose limits are out of reach and whose answers are not checked. */
export function benchVars({ aggregator, google, mailbox }: SimulatorUrls, secrets: Vars): Vars {
  return {
    ...LOCAL_VARS,
    ...SERVICES.aggregator.vars(aggregator),
    ...SERVICES.google.vars(google),
    ...SERVICES.mailbox.vars(mailbox),
    ...secrets,
    ENVIRONMENT: "production",
    LOG_SAMPLE: "0.05",
    APP_ORIGIN: "http://localhost",
    GUEST_MESSAGES_PER_DAY: "1000000",
    GUEST_DOLLARS_PER_DAY: "100000",
    CODES_PER_HOUR_PER_BROWSER: "1000000",
    CODES_PER_HOUR_PER_IP: "1000000",
    CODES_PER_HOUR_PER_ADDRESS: "1000000",
    CHATS_PER_HOUR: "1000000",
    SEARCHES_PER_HOUR: "1000000",
    ARTIFACTS_PER_HOUR: "1000000",
    CHAT_EXPORTS_PER_HOUR: "1000000",
    MESSAGES_PER_MINUTE: "1000000",
    DEFAULT_CREDITS: "1000",
  };
}

/** Signs a new account up by the code that its mailbox gets. */
export async function signUp(origin: string, mailbox: string): Promise<BenchUser> {
  const email = `${randomUUID()}@example.com`;
  const started = await post(origin, "/api/auth/email/start", { body: { email } });
  const body = { email, code: await newestCode(mailbox, email) };
  const response = await post(origin, "/api/auth/email/verify", { body, cookie: cookiesOf(started) });
  return { id: Verified.parse(await response.json()).user.id, cookie: cookiesOf(response) };
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

async function post(origin: string, path: string, { body, cookie = "" }: { body: unknown; cookie?: string }): Promise<Response> {
  const response = await fetch(`${origin}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin, cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

/** Starts all simulators in a process of their own, at full speed unless a prompt slows them. */
export async function startSimulatorProcess(): Promise<{ urls: SimulatorUrls; close(): void }> {
  const child = spawn(process.execPath, [inRoot("test", "simulators", "main.ts")], {
    env: { ...process.env, SIM_TOKENS_PER_SECOND: "0", SIM_FIRST_TOKEN_MS: "0" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const { stdout } = child;
  if (!stdout) throw new Error("The simulators have no output.");
  const first = await new Promise<string>((resolve, reject) => {
    createInterface({ input: stdout }).once("line", resolve);
    child.once("exit", () => reject(new Error("The simulators did not start.")));
  });
  return { urls: Urls.parse(JSON.parse(first)), close: () => void child.kill() };
}
