/** The lanes in which a run's files are read side by side: each has one message, and whoever comes with another one's token ends. */

/** Readers side by side. */
export const LANES = 3;
/** The token of a lane's first message in a run. */
export const FIRST_TOKEN = "first";
/** By then, in milliseconds, whoever took files has settled them or ended. */
export const LEASE_MS = 4 * 60_000;

type LaneRow = { token: string; last_token: string | null; claim: string | null; lease_until: number };

function findLane(sql: SqlStorage, lane: number): LaneRow | undefined {
  return sql.exec<LaneRow>("SELECT * FROM lanes WHERE lane = ?", lane).toArray()[0];
}

/** Takes a lane for a message, and answers what it settles files by from now on; null where another message has it. One that comes again takes it over. */
export function claimLane(sql: SqlStorage, { lane, token }: { lane: number; token: string }): string | null {
  const current = findLane(sql, lane);
  const now = Date.now();
  // The message before may have ended between the handing on and its successor.
  const isOwn = current?.token === token || (current?.claim === null && current.last_token === token);
  if (current && !isOwn && current.lease_until > now) return null;
  const claim = crypto.randomUUID();
  sql.exec(
    `INSERT INTO lanes (lane, token, claim, lease_until) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (lane) DO UPDATE SET token = ?2, last_token = NULL, claim = ?3, lease_until = ?4`,
    lane,
    token,
    claim,
    now + LEASE_MS,
  );
  return claim;
}

/** True while a lane is still held by who took it by this. */
export function holdsLane(sql: SqlStorage, { lane, claim }: { lane: number; claim: string }): boolean {
  return findLane(sql, lane)?.claim === claim;
}

/** Hands a lane on to its next message, which comes after so long; answers that one's token. */
export function passLane(sql: SqlStorage, lane: number, afterMs: number): string {
  const token = crypto.randomUUID();
  const leaseUntil = Date.now() + afterMs + LEASE_MS;
  sql.exec("UPDATE lanes SET last_token = token, token = ?, claim = NULL, lease_until = ? WHERE lane = ?", token, leaseUntil, lane);
  return token;
}

/** A lane in which nothing is left to read is free for whoever comes. */
export function releaseLane(sql: SqlStorage, lane: number): void {
  sql.exec("UPDATE lanes SET lease_until = 0 WHERE lane = ?", lane);
}

/** The lanes that have no message any more, each with the token of a new one. */
export function reopenLanes(sql: SqlStorage): { lane: number; token: string }[] {
  const now = Date.now();
  const free = Array.from({ length: LANES }, (_, lane) => lane).filter((lane) => (findLane(sql, lane)?.lease_until ?? 0) <= now);
  return free.map((lane) => {
    const token = crypto.randomUUID();
    sql.exec(
      `INSERT INTO lanes (lane, token, lease_until) VALUES (?1, ?2, ?3)
       ON CONFLICT (lane) DO UPDATE SET token = ?2, last_token = NULL, claim = NULL, lease_until = ?3`,
      lane,
      token,
      now + LEASE_MS,
    );
    return { lane, token };
  });
}
