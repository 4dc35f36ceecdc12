import { env } from "cloudflare:workers";
import { vi } from "vitest";

/** How the database carries out every query that is asked of it meanwhile: one line a step. */
export async function explain(act: () => Promise<unknown>): Promise<string[]> {
  const prototype: D1PreparedStatement = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
  const real: (this: D1PreparedStatement) => Promise<unknown[]> = Reflect.get(prototype, "raw");
  const asked: { sql: string; params: unknown[] }[] = [];
  const spy = vi.spyOn(prototype, "raw").mockImplementation(function kept(this: D1PreparedStatement) {
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
