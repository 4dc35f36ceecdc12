import { readFileSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const WORKER = join(import.meta.dirname, "..", "..", "worker");

/** The arguments of every call of `name` in the Worker, as they are written. */
function callsOf(name: string): { file: string; text: string }[] {
  return globSync("**/*.ts", { cwd: WORKER }).flatMap((file) => {
    const source = readFileSync(join(WORKER, file), "utf8");
    return [...source.matchAll(new RegExp(`\\b${name}\\(`, "g"))].map(({ index }) => ({
      file,
      text: argumentsAt(source, index + name.length),
    }));
  });
}

function argumentsAt(source: string, open: number): string {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    if (source[at] === "(") depth += 1;
    if (source[at] === ")") depth -= 1;
    if (depth === 0) return source.slice(open, at + 1);
  }
  throw new Error("A call without an end.");
}

// The keys refuse other algorithms as well, so no request would show that the list is gone.
it("every token that the Worker verifies may be signed in one way alone, which the token has no say in", () => {
  const calls = callsOf("jwtVerify");
  expect(calls.length).toBeGreaterThanOrEqual(3);
  expect(calls.filter(({ text }) => !/\balgorithms: \["(?:HS256|RS256)"\]/.test(text))).toEqual([]);
});
