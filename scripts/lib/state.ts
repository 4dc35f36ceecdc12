import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, statfsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isOf01 } from "./migrate.ts";
import { inRoot } from "./paths.ts";
import { isAnswering } from "./ports.ts";

/** The folder that holds everything `npm start` keeps: `.state`, or what `POLYLOGUE_STATE` names. */
export function stateDirectory(): string {
  const named = process.env["POLYLOGUE_STATE"];
  return named ? resolve(named) : inRoot(".state");
}

const MEMORY = "/dev/shm";
/** A run of the browser's tests leaves a third of it; containers are often given 64 MB. */
const MEMORY_NEEDED_BYTES = 1024 ** 3;

/**
 * The folder for state that only a run needs: in memory where the system offers enough. All objects of the local runtime
 * run on one thread, which waits for the disk a dozen times a turn, so a busy disk is most of a test's time.
 */
export function temporaryFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY : tmpdir();
}

/** Where Miniflare keeps D1, R2, queues and objects; the name is the one `vite dev` gives it. */
export function persistPath(stateDir: string): string {
  return join(stateDir, "v3");
}

type Secrets = { SESSION_SECRET: string; CREDENTIAL_KEYS: string; VAPID_PUBLIC_KEY: string; VAPID_PRIVATE_KEY: string };

/** The secrets that this state is kept with, each made once, so a restart signs nobody out and loses no connection. */
export async function ownSecrets(stateDir: string): Promise<Secrets> {
  const [publicKey = "", privateKey = ""] = (await keptSecret(stateDir, "push-keys", () => Object.values(newPushKeys()).join(" "))).split(
    " ",
  );
  return {
    SESSION_SECRET: await keptSecret(stateDir, "session-secret", () => randomBytes(32).toString("base64url")),
    CREDENTIAL_KEYS: await keptSecret(stateDir, "credential-keys", newCredentialKey),
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
  };
}

/** A key pair as the Worker takes it to sign pushes. */
export function newPushKeys(): { VAPID_PUBLIC_KEY: string; VAPID_PRIVATE_KEY: string } {
  const { x = "", y = "", d = "" } = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey.export({ format: "jwk" });
  const point = [Uint8Array.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  return { VAPID_PUBLIC_KEY: Buffer.concat(point).toString("base64url"), VAPID_PRIVATE_KEY: d };
}

/** A key as the Worker takes it (`CREDENTIAL_KEYS`). */
export function newCredentialKey(): string {
  return `1:${randomBytes(32).toString("base64")}`;
}

async function keptSecret(stateDir: string, name: string, make: () => string): Promise<string> {
  await mkdir(stateDir, { recursive: true });
  const file = join(stateDir, name);
  const known = await readFile(file, "utf8").catch(() => "");
  if (known.length >= 32) return known;
  const secret = make();
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}

/**
 * Refuses a state folder that another running server uses; SQLite files don't bear two. What version 0.1 kept there is moved aside, which is
 * said, and nothing of it is deleted. Returns what frees the folder.
 */
export async function claimState(stateDir: string, port: number): Promise<() => Promise<void>> {
  await mkdir(stateDir, { recursive: true });
  const running = await runningPort(stateDir);
  if (running !== null) {
    throw new Error(
      `Polylogue already runs at http://localhost:${running} with this state: stop it, or set POLYLOGUE_STATE to another folder.`,
    );
  }
  if (await isOf01(persistPath(stateDir))) {
    const aside = freeName(`${stateDir}-before-1.0`);
    await rename(stateDir, aside);
    await mkdir(stateDir);
    process.stdout.write(
      `What was kept in ${stateDir} is of version 0.1, which this version does not read: it is in ${aside} now, whole, and you begin with an empty product.\n`,
    );
  }
  const file = claimFile(stateDir);
  await writeFile(file, JSON.stringify({ pid: process.pid, port }));
  return () => rm(file, { force: true });
}

function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!existsSync(name)) return name;
  }
}

/** The port of the server that runs with this state, or null. */
export async function runningPort(stateDir: string): Promise<number | null> {
  const held = await readFile(claimFile(stateDir), "utf8").then(parseClaim, () => null);
  return held && isAlive(held.pid) && (await isAnswering(held.port)) ? held.port : null;
}

function claimFile(stateDir: string): string {
  return join(stateDir, "server.json");
}

function parseClaim(text: string): { pid: number; port: number } | null {
  const match = /^\{"pid":(\d+),"port":(\d+)\}$/.exec(text.trim());
  return match ? { pid: Number(match[1]), port: Number(match[2]) } : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
