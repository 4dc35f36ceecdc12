import type { StoredMessage } from "./mailbox.ts";

const DAY_MS = 24 * 60 * 60_000;
const SPANS: Record<string, number> = { d: DAY_MS, m: 30 * DAY_MS, y: 365 * DAY_MS };

/** Whether a message fits a search as Gmail understands it: words, phrases, fields, `-` before what must not be there. */
export function matches(message: StoredMessage, query: string): boolean {
  const terms = query.match(/-?(?:\w+:)?(?:"[^"]*"|\([^)]*\)|\S+)/g) ?? [];
  const isSpamAsked = /\bin:(anywhere|spam|trash)\b/.test(query);
  if (!isSpamAsked && (message.labelIds.includes("TRASH") || message.labelIds.includes("SPAM"))) return false;
  return terms.every((term) => (term.startsWith("-") ? !fits(message, term.slice(1)) : fits(message, term)));
}

function fits(message: StoredMessage, term: string): boolean {
  const [, name, given = ""] = /^(\w+):(.*)$/.exec(term) ?? [null, "", term];
  const value = given.replaceAll(/^["(]|[")]$/g, "").toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(value);
  const hasLabel = (label: string) => message.labelIds.includes(label.toUpperCase());
  switch (name) {
    case "from":
      return has(message.from);
    case "to":
    case "cc":
      return has(message.to) || has(message.cc);
    case "subject":
      return has(message.subject);
    case "has":
      return value === "attachment" && message.files.length > 0;
    case "filename":
      return message.files.some((file) => has(file.name));
    case "is":
      return value === "read" ? !hasLabel("unread") : hasLabel(value);
    case "in":
    case "label":
      return value === "anywhere" || hasLabel(value === "drafts" ? "draft" : value);
    case "after":
    case "before": {
      const day = Date.parse(value.replaceAll("/", "-"));
      return name === "after" ? message.at >= day : message.at < day;
    }
    case "newer_than":
    case "older_than": {
      const [, count = "0", unit = "d"] = /^(\d+)([dmy])$/.exec(value) ?? [];
      const isNewer = message.at >= Date.now() - Number(count) * (SPANS[unit] ?? DAY_MS);
      return name === "newer_than" ? isNewer : !isNewer;
    }
    default:
      return [message.subject, message.from, message.to, message.text, message.html].some(has);
  }
}
