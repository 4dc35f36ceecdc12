/** Who comes back within so many milliseconds gets no mail. */
export const AWAY_MS = 2 * 60_000;
/** The next mail about the same comes so many milliseconds after the last at the earliest. */
export const APART_MS = 60 * 60_000;
/** The mail service knows a mail by its key for so many milliseconds. */
export const KEY_LIFETIME_MS = 23 * 60 * 60_000;
