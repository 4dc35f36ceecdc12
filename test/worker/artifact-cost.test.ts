import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { createArtifact } from "#shared/contracts/artifacts.ts";
import { signIn } from "#test/support/worker.ts";
import { saveArtifact } from "#worker/library/artifacts/save.ts";
import { openDatabase } from "#worker/platform/db/client.ts";

/** Rows of the relational database that one save of a sitting may write and read; the index entries of what is written count. */
const WRITTEN = 12;
const READ = 60;

afterEach(() => void vi.restoreAllMocks());

it("a save of a long text writes few rows, however many artifacts its owner has", async () => {
  const person = await signIn();
  for (let place = 0; place < 5; place += 1) await person.take(createArtifact, { body: { title: `Other ${place}` } });
  const content = "A line of a long text.\n".repeat(40_000);
  const { id } = await person.take(createArtifact, { body: { title: "Long", content } });
  const db = openDatabase(env.DB);
  const author = { userId: person.user.id };
  await saveArtifact(env, db, author, id, { content: `${content}1`, base: 1, kind: "edit" });
  const counted = { written: 0, read: 0 };
  const prototype: D1Database = Object.getPrototypeOf(env.DB);
  const { batch } = prototype;
  vi.spyOn(prototype, "batch").mockImplementation(async function count<T>(this: D1Database, statements: D1PreparedStatement[]) {
    const results = await Reflect.apply<D1Database, [D1PreparedStatement[]], Promise<D1Result<T>[]>>(batch<T>, this, [statements]);
    for (const { meta } of results) {
      counted.written += meta.rows_written;
      counted.read += meta.rows_read;
    }
    return results;
  });
  await saveArtifact(env, db, author, id, { content: `${content}2`, base: 2, kind: "edit" });
  expect(counted.written).toBeGreaterThan(0);
  expect(counted.written).toBeLessThanOrEqual(WRITTEN);
  expect(counted.read).toBeLessThanOrEqual(READ);
});
