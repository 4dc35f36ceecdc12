/** What the steps of a running call have brought, so that a new life of the object does none of them twice. */
export type KeptSteps = {
  /** Undefined for a step that is not done. */
  find(step: string): unknown;
  /** `result` must be JSON. */
  keep(step: string, result: unknown): void;
};

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
