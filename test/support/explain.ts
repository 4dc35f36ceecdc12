import { env } from "cloudflare:workers";
import { vi } from "vitest";

/** How the database carries out every query that is asked of it meanwhile: one line a step. */
export async function explain(act: () => Promise<unknown>): Promise<string[]> {
  const prototype: D1PreparedStatement = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
  const real: (this: D1PreparedStatement) => Promise<unknown[]> = Reflect.get(prototype, "raw");
  const asked: { sql: string; params: unknown[] }[] = [];
  const spy = vi.spyOn(prototype, "raw").mockImplementation(function recordRaw(this: D1PreparedStatement) {
    asked.push({ sql: String(Reflect.get(this, "statement")), params: Reflect.get(this, "params") });
    return real.call(this);
  });
  await act();
  spy.mockRestore();
  const steps: string[] = [];
  for (const { sql, params } of asked) {
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    steps.push(...results.map(({ detail }) => detail));
  }
  return steps;
}

/** The same of what is asked in SQL's own text. */
export async function explainText(act: () => Promise<unknown>): Promise<string[]> {
  const prototype: D1PreparedStatement = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
  const spy = vi.spyOn(prototype, "all");
  await act();
  const asked = [...spy.mock.contexts];
  spy.mockRestore();
  const plans = asked.map((statement) => {
    if (typeof statement !== "object" || statement === null) throw new Error("A statement was called without itself.");
    const params: unknown[] = Reflect.get(statement, "params");
    return env.DB.prepare(`EXPLAIN QUERY PLAN ${String(Reflect.get(statement, "statement"))}`)
      .bind(...params)
      .all<{ detail: string }>();
  });
  return (await Promise.all(plans)).flatMap(({ results }) => results.map(({ detail }) => detail));
}
