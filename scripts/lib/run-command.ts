import { spawn } from "node:child_process";
import { inRoot, ROOT } from "./paths.ts";

export type CommandResult = { code: number; output: string };

type Options = { env?: Record<string, string>; quiet?: boolean; cwd?: string };

/** Runs a program of the repository to its end; its output is shown unless `quiet`, and returned in any case. */
export function runCommand(program: string, args: string[], { env = {}, quiet = false, cwd = ROOT }: Options = {}): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    let output = "";
    const take = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString();
      if (!quiet) to.write(chunk);
    };
    child.stdout.on("data", take(process.stdout));
    child.stderr.on("data", take(process.stderr));
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, pass);
    child.on("error", (cause) => reject(new Error(`${program} could not be run: ${cause.message}.`, { cause })));
    child.on("close", (code) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, pass);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** The path of a program that a package of this project brought. */
export function bin(name: string): string {
  return inRoot("node_modules", ".bin", process.platform === "win32" ? `${name}.cmd` : name);
}
