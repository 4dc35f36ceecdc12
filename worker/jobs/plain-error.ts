import { isFailedQuery } from "../db/failed-query.ts";

/** Longer messages of errors are cut. */
const MESSAGE_LENGTH = 300;

/** What may be a secret or somebody's address in an error's message: addresses' queries and users, tokens, mail addresses. */
const PRIVATE: [RegExp, string][] = [
  [/\b(https?:\/\/)[^\s/@]*@/gi, "$1"],
  [/\b(https?:\/\/[^\s?#]*)[?#]\S*/gi, "$1"],
  [/\b(bearer|basic)\s+\S+/gi, "$1 ..."],
  [/[^\s@"'<>(),:;]+@[^\s@"'<>(),:;]+/g, "..."],
];
const LONG_WORD = /[\w+-]{24,}=*/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An error's class and message for whoever runs the deployment, without what could be secret in it; `secrets` are left out wherever they stand. */
export function plainError(error: unknown, secrets: readonly string[]): { name: string; message: string } {
  if (error instanceof Error && isFailedQuery(error)) return plainError(error.cause ?? new Error("a query failed"), secrets);
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: String(error) };
  const known = secrets.reduce((text, secret) => text.replaceAll(secret, "..."), message);
  const plain = PRIVATE.reduce((text, [pattern, put]) => text.replaceAll(pattern, put), known).replaceAll(LONG_WORD, withoutToken);
  return { name, message: plain.length > MESSAGE_LENGTH ? `${plain.slice(0, MESSAGE_LENGTH)} ...` : plain };
}

/** A long word with digits in it is a token for all that is known, unless it has the form of an id. */
function withoutToken(word: string): string {
  return UUID.test(word) || !/\d/.test(word) ? word : "...";
}
