import type * as z from "zod/mini";

/** A field's name may be the caller's own, and as long as they please. */
const NAME_LENGTH = 100;

const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const COUNTED: Record<string, [one: string, many: string]> = { string: ["character", "characters"], array: ["entry", "entries"] };

/** Says in plain words which field of a request is wrong and what it takes, where its contract has no words of its own. */
export function validationMessage(issue: z.core.$ZodRawIssue): string {
  const name = (issue.path ?? []).map(String).join(".").slice(0, NAME_LENGTH);
  const field = name === "" ? "The request" : `"${name}"`;
  switch (issue.code) {
    case "too_big":
      return `${field} takes at most ${counted(issue.maximum, issue.origin)}.`;
    case "too_small":
      return `${field} takes at least ${counted(issue.minimum, issue.origin)}.`;
    case "invalid_type":
      return issue.input === undefined ? `${field} is missing.` : `${field} has to be ${TYPES[issue.expected] ?? "something else"}.`;
    case "invalid_value":
      return `${field} has to be one of: ${issue.values.map(String).join(", ")}.`;
    case "unrecognized_keys":
      return `${field} takes no "${issue.keys.join(", ").slice(0, NAME_LENGTH)}".`;
    case "invalid_union":
      return closest(issue.errors, issue.input) ?? `${field} is not valid.`;
    default:
      return `${field} is not valid.`;
  }
}

/** An issue's own words, and the limit that was passed where they leave it out. */
export function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code !== "too_big" || issue.message.includes(issue.maximum.toLocaleString("en"))) return issue.message;
  return `${issue.message} At most ${counted(issue.maximum, issue.origin)}.`;
}

function counted(limit: number | bigint, origin: string): string {
  const [one, many] = COUNTED[origin] ?? ["", ""];
  return `${limit.toLocaleString("en")} ${Number(limit) === 1 ? one : many}`.trim();
}

/** What to say of a request that may be several things: most likely it is meant as what lacks none of its fields, else as what it is the least far from. */
function closest(errors: readonly (readonly z.core.$ZodIssue[])[], input: unknown): string | null {
  const isGiven = ({ path }: z.core.$ZodIssue) => typeof input === "object" && input !== null && Object.hasOwn(input, path[0] ?? "");
  const meant = errors.find((issues) => issues.every(isGiven)) ?? errors.toSorted((a, b) => a.length - b.length)[0];
  const issue = meant?.[0];
  return issue && issue.path.length > 0 ? issue.message : null;
}
