/** Live sockets that one user may hold, over all tabs and devices; one more closes the oldest. */
export const LIVE_SOCKETS_MAX = 50;

/** The code that closes the oldest: its tab connects again only when it is looked at, or tabs would chase each other away for ever. */
export const LIVE_TOO_MANY = 4002;
