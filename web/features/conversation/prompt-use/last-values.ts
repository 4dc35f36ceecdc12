import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";

/** Prompts whose values a browser keeps for an account, and how long a value is kept, in characters. */
const STORED_PROMPTS_MAX = 50;
const VALUE_LENGTH = 2_000;

type Values = Record<string, string>;
type Entry = { id: string; values: Values };

const entries = z.array(z.looseObject({ id: z.string(), values: z.record(z.string(), z.string()) }));

function store(accountId: string) {
  return stored<Entry[]>(`prompt-values:${accountId}`, entries, []);
}

/** What an account filled in last for a prompt in this browser; nothing where it never did. */
export function lastValues(accountId: string, promptId: string): Values {
  const found = store(accountId)
    .read()
    .find(({ id }) => id === promptId);
  return found?.values ?? {};
}

/** Keeps what was filled in; long texts are the moment's and are not kept. */
export function storeLastValues(accountId: string, promptId: string, values: Values): void {
  const short = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value.length <= VALUE_LENGTH));
  const others = store(accountId)
    .read()
    .filter(({ id }) => id !== promptId);
  const remaining = Object.keys(short).length === 0 ? others : [{ id: promptId, values: short }, ...others];
  if (remaining.length === 0) store(accountId).remove();
  else store(accountId).write(remaining.slice(0, STORED_PROMPTS_MAX));
}
