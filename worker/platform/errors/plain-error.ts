import { ERRORS, isErrorCode } from "#shared/errors.ts";

/** Longer messages of errors are cut, before anything is looked for in them and after. */
const READ_LENGTH = 2_000;
const MESSAGE_LENGTH = 300;
const CAUSES = 5;

/**
 * Classes whose messages are the platform's words or our own. Any other's may repeat what a service, a library or a person said, so only
 * its name, code, kind and status are logged.
 */
const PLATFORM = "Error TypeError RangeError ReferenceError AbortError TimeoutError";
const OWN = "AggregatorError DriveNotConnected EmbeddingError GoogleError PdfFileMissing ScanError SearchError TooMuchWork";
const SPEAKING: ReadonlySet<string> = new Set(`${PLATFORM} ${OWN}`.split(" "));

/** What may be a secret or somebody's address in an error's message: addresses' queries and users, tokens, mail addresses, telephone numbers. */
const PRIVATE: [RegExp, string][] = [
  [/\b(https?:\/\/)[^\s/@]*@/gi, "$1"],
  [/\b(https?:\/\/[^\s?#]*)[?#]\S*/gi, "$1"],
  [/\b(bearer|basic)\s+\S+/gi, "$1 ..."],
  [/(?<![^\s@"'<>(),:;])[^\s@"'<>(),:;]+@[^\s@"'<>(),:;]+/g, "..."],
  [/\+\d[\d ]{6,20}/g, "..."],
];
const LONG_WORD = /[\w+-]{24,}=*/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** How a class stands before its message once an error has passed between objects. */
const CLASS_BEFORE = /^([A-Z]\w*(?:Error|Exception)): /;
const WORD = /^[A-Za-z$][\w.-]{0,59}$/;
const FRAME = /^\s+at \S.*:\d+:\d+\)?$/;

/** An error's class and message for whoever runs the deployment, without what could be secret in it; `secrets` are left out wherever they stand. */
export function plainError(error: unknown, secrets: readonly string[] = []): { name: string; message: string } {
  if (!(error instanceof Error)) return { name: typeof error, message: "" };
  if (isFailedQuery(error)) return plainError(error.cause ?? new Error("a query failed"), secrets);
  const [before, carried] = CLASS_BEFORE.exec(error.message) ?? [];
  const name = carried ?? classOf(error);
  if (!SPEAKING.has(name)) return { name, message: codedMessage(error) };
  const redacted = secrets.reduce((text, secret) => text.replaceAll(secret, "..."), error.message.slice(before?.length ?? 0));
  const plain = plainText(redacted);
  return { name, message: plain.length > MESSAGE_LENGTH ? `${plain.slice(0, MESSAGE_LENGTH)} ...` : plain };
}

/** What the log says of an error and of what caused it: nothing else of it is logged, whatever it carries. */
export function errorFields(error: Error, depth = 0): Record<string, unknown> {
  const { cause } = error;
  const under = cause instanceof Error && depth < CAUSES ? { cause: errorFields(cause, depth + 1) } : {};
  const isQuery = isFailedQuery(error);
  const { name, message } = isQuery ? { name: classOf(error), message: "a query failed" } : plainError(error);
  return { name, message, ...codesOf(error), stack: framesOf(error), ...under };
}

/** A text without what could be secret or somebody's address in it. */
export function plainText(text: string): string {
  const read = text.length > READ_LENGTH ? `${text.slice(0, READ_LENGTH)} ...` : text;
  return PRIVATE.reduce((shown, [pattern, put]) => shown.replaceAll(pattern, put), read).replaceAll(LONG_WORD, withoutToken);
}

/** Libraries' classes seldom set their names; the bundle keeps those of classes. */
function classOf(error: Error): string {
  const name = error.name === "Error" ? error.constructor.name : error.name;
  return WORD.test(name) ? name : "UnknownError";
}

/** An error of the table has its general sentence; its own may name people and what they called things. */
function codedMessage(error: Error): string {
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string" && isErrorCode(code)) return ERRORS[code].message;
  const issues: unknown = Reflect.get(error, "issues");
  return Array.isArray(issues) ? issues.slice(0, 3).map(placeOf).join(", ") : "";
}

/** Where a schema found something else than it takes: the fields' names, and nothing of what it found. */
function placeOf(issue: unknown): string {
  const path: unknown = typeof issue === "object" && issue !== null ? Reflect.get(issue, "path") : null;
  const parts = Array.isArray(path) ? path : [];
  return parts.map((part: unknown) => (typeof part === "number" || (typeof part === "string" && WORD.test(part)) ? part : "?")).join(".");
}

function codesOf(error: Error): Record<string, string | number> {
  const fields = ["code", "kind", "status"].map((name) => [name, Reflect.get(error, name)] as const);
  return Object.fromEntries(
    fields.flatMap(([name, value]) =>
      typeof value === "number" || (typeof value === "string" && WORD.test(value)) ? [[name, value]] : [],
    ),
  );
}

/** Where it was thrown; the stack repeats the message before its frames. */
function framesOf({ message, stack = "" }: Error): string | undefined {
  const from = stack.indexOf(message);
  const lines = from < 0 ? [] : stack.slice(from + message.length).split("\n");
  return lines.filter((line) => FRAME.test(line)).join("\n") || undefined;
}

/** A long word with digits in it is a token for all that is known, unless it has the form of an id. */
function withoutToken(word: string): string {
  return UUID.test(word) || !/\d/.test(word) ? word : "...";
}

/** How the message of a database's query begins that failed; the statement and all its values follow. */
const FAILED_QUERY = "Failed query: ";

/** True for an error whose message holds a query's values. Known by the message, as errors lose their class between objects. */
function isFailedQuery({ message }: Error): boolean {
  return message.includes(FAILED_QUERY);
}
