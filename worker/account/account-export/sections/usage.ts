import { fromMicros } from "#worker/platform/spending/money.ts";
import { ledgerLine, LEDGER_HEADER } from "#worker/conversation/usage/ledger-csv.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { prettyJson, type Section } from "../section.ts";

/** Entries of the ledger in one file, and in one question to the hub. */
const ENTRIES_A_FILE = 10_000;
const ENTRIES_AT_ONCE = 500;

/** What was spent and given, newest first, as JSON and as CSV: so many entries a file. */
export const usageSection: Section = {
  async write({ archive, env, userId, count }, cursor) {
    const [part = 1, from = Number.MAX_SAFE_INTEGER] = cursor === null ? [] : cursor.split(":").map(Number);
    const hub = hubOf(env, userId);
    const entries = [];
    let before = from;
    let isLast = false;
    while (!isLast && entries.length < ENTRIES_A_FILE) {
      const page = await hub.ledger({ before, limit: ENTRIES_AT_ONCE });
      entries.push(...page);
      before = page.at(-1)?.seq ?? 0;
      isLast = page.length < ENTRIES_AT_ONCE;
    }
    if (entries.length > 0 || part === 1) {
      const name = `usage/ledger-${String(part).padStart(3, "0")}`;
      await archive.text(`${name}.csv`, LEDGER_HEADER + entries.map(ledgerLine).join(""));
      const rows = entries.map(({ seq: _seq, amount_micros: amount, balance_micros: balance, is_house: isHouse, ...entry }) => ({
        ...entry,
        amount_usd: fromMicros(amount),
        balance_usd: fromMicros(balance),
        paid_by: isHouse === 1 ? "house" : "self",
      }));
      await archive.text(`${name}.json`, prettyJson(rows));
      count("ledger_entries", entries.length);
    }
    return isLast ? null : `${part + 1}:${before}`;
  },
};
