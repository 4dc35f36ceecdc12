/** A token is renewed so many milliseconds before it ends. */
const EARLY_MS = 60_000;

/** Whether a connection's access token ends within a minute. */
export function endsSoon({ expires_at: expiresAt }: { expires_at: string }): boolean {
  return Date.parse(expiresAt) - Date.now() < EARLY_MS;
}
