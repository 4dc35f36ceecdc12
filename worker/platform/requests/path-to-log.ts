/** Calls whose addresses hold what opens something to whoever knows it. */
const SECRET_PATHS = [
  /^(\/api\/shared\/[^/]+\/)[^/]+/,
  /^(\/api\/teams\/invitations\/)[^/]+/,
  /^(\/api\/invites\/)[^/]+/,
  /^(\/api\/phone\/webhook\/[^/]+\/[^/]+\/)[^/]+/,
  /^(\/api\/media\/).+/,
  /^(\/unsubscribe\/)[^/]+/,
  /^(\/not-me\/)[^/]+/,
];

/** The path of a call without the tokens and codes in it. */
export function pathToLog(path: string): string {
  return SECRET_PATHS.reduce((masked, secret) => masked.replace(secret, "$1…"), path);
}
