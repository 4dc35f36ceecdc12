import { env } from "cloudflare:workers";
import { vi } from "vitest";

/** How many rows the database reads for what is asked meanwhile. */
export async function rowsRead(act: () => Promise<unknown>): Promise<number> {
  const statement = env.DB.prepare("SELECT 1");
  const prototype: D1PreparedStatement = Object.getPrototypeOf(statement);
  const real: (this: D1PreparedStatement) => Promise<unknown[]> = Reflect.get(prototype, "raw");
  let read = 0;
  const spy = vi.spyOn(prototype, "raw").mockImplementation(async function counted(this: D1PreparedStatement) {
    if (/^select/i.test(String(Reflect.get(this, "statement")))) read += (await this.all()).meta.rows_read;
    return real.call(this);
  });
  await act();
  spy.mockRestore();
  return read;
}
