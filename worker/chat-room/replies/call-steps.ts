import type { KeptSteps } from "#worker/turn/run-call.ts";

/** The steps of one call; `store` runs what it is given in a transaction, with whatever belongs to it. */
export function openSteps(sql: SqlStorage, callId: string, store: (keep: () => void) => void): KeptSteps {
  return {
    find(step) {
      const row = sql.exec<{ result: string }>("SELECT result FROM call_steps WHERE call_id = ? AND step = ?", callId, step).toArray()[0];
      return row ? JSON.parse(row.result) : undefined;
    },
    keep(step, result) {
      store(() => sql.exec("INSERT INTO call_steps (call_id, step, result) VALUES (?, ?, ?)", callId, step, JSON.stringify(result)));
    },
  };
}

/** Forgets a call's steps once the call itself has ended. */
export function dropSteps(sql: SqlStorage, callId: string): void {
  sql.exec("DELETE FROM call_steps WHERE call_id = ?", callId);
}
