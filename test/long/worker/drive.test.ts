import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { getDriveIndex, startDriveIndex } from "#shared/contracts/outbound/drive.ts";
import { found, withDrive } from "#test/support/drive.ts";
import { until } from "#test/support/until.ts";

/** All that one Drive is meant to hold, where there is time for it. */
const FILES = inject("longSeed") === null ? 60 : 10_000;
/** Milliseconds in which all of them are read, on two cores that have other work too. */
const LIMIT_MS = 20 * 60_000;

it("indexing reads a whole Drive file by file, and finds it unchanged the next time", async () => {
  const person = await withDrive(FILES);
  const index = env.DRIVE_INDEX.getByName(person.user.id);
  const isOver = async () => ((await index.state())?.finishedAt ?? null) !== null;
  await person.take(startDriveIndex, {});
  await until("all of it to be read", isOver, LIMIT_MS);
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "completed", totalFiles: FILES, indexedFiles: FILES, errors: [] });
  expect(await found(person)).toHaveLength(FILES);
  await person.take(startDriveIndex, {});
  await until("nothing to be read", isOver, LIMIT_MS);
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "completed", indexedFiles: FILES });
});
