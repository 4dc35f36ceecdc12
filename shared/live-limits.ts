/** Connections that one user may hold, over all tabs, devices and chats: a socket more closes the oldest, as does a stream more of a reply, and where all are streams it is refused. */
export const CONNECTIONS_MAX = 50;

/** The code that closes the oldest: its tab connects again only when it is looked at, or tabs would chase each other away for ever. */
export const LIVE_TOO_MANY = 4002;

/** How often, in milliseconds, a visible tab says that it is still there. */
export const ATTENTION_REPEAT_MS = 25_000;

/** After so many milliseconds without a word a tab counts as gone: two repeats may get lost. */
export const ATTENTION_MS = 80_000;

/** How often, in milliseconds, typing is said again; one who said nothing for `TYPING_MS` no longer types. */
export const TYPING_REPEAT_MS = 3_000;
export const TYPING_MS = 8_000;

/** So many of those present are named; `count` counts all. */
export const PRESENT_NAMED = 20;
