import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { benchVars, type BenchUser, signUp, startSimulatorProcess } from "./bench-server.ts";
import type { Build } from "../build/build.ts";
import { inRoot } from "../paths.ts";
import { freePort } from "../ports.ts";
import { ownSecrets } from "../state.ts";

/** A server in a process of its own that can be killed and started again on the same state and port. */
export type SoakServer = {
  origin: string;
  newUser(): Promise<BenchUser>;
  /** Kills the server and the runtime under it with SIGKILL; nothing gets a chance to be saved. */
  kill(): Promise<void>;
  /** Starts it again; resolves when it serves. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** Starts simulators and server, each in a process of its own. */
export async function startSoakServer(build: Build): Promise<SoakServer> {
  const stateDir = await mkdtemp(join(tmpdir(), "polylogue-soak-"));
  const simulators = await startSimulatorProcess();
  const port = await freePort();
  const vars = benchVars(simulators.urls, await ownSecrets(stateDir));
  const config = JSON.stringify({ build, port, stateDir, vars });
  const origin = `http://localhost:${port}`;
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    // A group of its own, so the runtime dies with the process that started it.
    const started = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", inRoot("scripts", "lib", "bench", "soak-child.ts"), config],
      {
        detached: true,
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    child = started;
    const serving = once(createInterface({ input: started.stdout }), "line");
    const ended = once(started, "exit").then(([code]) => {
      throw new Error(`The server ended with ${code} before it served.`);
    });
    await Promise.race([serving, ended]);
    ended.catch(() => undefined);
  }

  async function kill(): Promise<void> {
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await gone;
    child = null;
  }

  await start();
  // Nobody else ends a group of its own.
  process.once("exit", () => child?.pid && process.kill(-child.pid, "SIGKILL"));
  return {
    origin,
    newUser: () => signUp(origin, simulators.urls.mailbox),
    kill,
    start,
    async close() {
      await kill();
      simulators.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
