import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { downloadAccountExport, getAccountExport, startAccountExport } from "#shared/contracts/account/account-export.ts";
import type { AccountExport } from "#shared/entities/library/account-export.ts";
import { until } from "./until.ts";
import { addressOf, type Person } from "./worker.ts";

/** A ZIP's entries by their names, as an independent reader finds them. */
export type Unzipped = {
  names: string[];
  text(name: string): string;
  json(name: string): unknown;
  bytes(name: string): Uint8Array;
  /** The one entry whose name matches. */
  named(pattern: RegExp): string;
};

/** Begins an export and waits until it is ready. */
export async function madeExport(person: Person): Promise<AccountExport> {
  const { export: begun } = await person.take(startAccountExport, { body: { id: crypto.randomUUID() } });
  return readyExport(person, begun.id);
}

/** An export once it is ready. */
export async function readyExport(person: Person, id: string): Promise<AccountExport> {
  return until("the export is ready", async () => {
    const { export: held } = await person.take(getAccountExport, {});
    if (held?.state === "failed") throw new Error(`The export failed: ${held.problem}`);
    return held?.id === id && held.state === "ready" ? held : null;
  });
}

/** The bytes of an export that is ready. */
export async function downloaded(person: Person, id: string): Promise<Uint8Array> {
  const response = await person.fetch(addressOf(downloadAccountExport, { params: { id } }));
  if (response.status !== 200) throw new Error(`The export was answered with ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Everything that a person has, exported and unpacked. */
export async function exportedAccount(person: Person): Promise<Unzipped> {
  const { id } = await madeExport(person);
  return unzipped(await downloaded(person, id));
}

/** A ZIP unpacked. */
export function unzipped(zip: Uint8Array): Unzipped {
  const entries = unzipSync(zip);
  const bytes = (name: string) => {
    const found = entries[name];
    if (!found) throw new Error(`No ${name} among ${Object.keys(entries).join(", ")}`);
    return found;
  };
  const text = (name: string) => new TextDecoder().decode(bytes(name));
  return {
    names: Object.keys(entries),
    text,
    json: (name) => JSON.parse(text(name)) as unknown,
    bytes,
    named: (pattern) => {
      const found = Object.keys(entries).filter((name) => pattern.test(name));
      if (found.length !== 1 || found[0] === undefined)
        throw new Error(`${String(pattern)} matches ${found.length} entries: ${found.join(", ")}`);
      return found[0];
    },
  };
}

/** Where an export's segments lie. */
export async function storedSegments(userId: string): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix: `exports/${userId}/` });
  return objects.map(({ key }) => key);
}
