/** A sheet for the first screen, and one of all utilities for what comes later. */
export type SplitSheet = { first: string; rest: string };

type Rule = { head: string; body: string | null };

const UTILITIES = "@layer utilities";
const CLASS_FIRST = /^\.((?:\\[0-9a-f]{1,6}\s?|\\.|[\w-])+)/i;

/**
 * Splits Tailwind's minified sheet: the first has everything but the utilities whose class `isNeeded` denies. The rest has all utilities,
 * not just those, because their order decides which of two wins: laid over the first sheet it makes the whole one.
 */
export function splitSheet(sheet: string, isNeeded: (className: string) => boolean): SplitSheet {
  const rules = rulesOf(sheet);
  const rest = rules.filter(({ head }) => head === UTILITIES);
  const first = rules.map((rule) => (rule.head === UTILITIES ? { ...rule, body: needed(rule.body ?? "", isNeeded) } : rule));
  return { first: print(first), rest: print(rest) };
}

function needed(body: string, isNeeded: (className: string) => boolean): string {
  const kept = rulesOf(body).flatMap((rule): Rule[] => {
    if (rule.body === null) return [rule];
    if (rule.head.startsWith("@")) {
      const inner = needed(rule.body, isNeeded);
      return inner === "" ? [] : [{ ...rule, body: inner }];
    }
    const head = selectorsOf(rule.head).filter((selector) => {
      const name = CLASS_FIRST.exec(selector)?.[1];
      return name === undefined || isNeeded(unescape(name));
    });
    return head.length === 0 ? [] : [{ ...rule, head: head.join(",") }];
  });
  return print(kept);
}

function print(rules: Rule[]): string {
  return rules.map(({ head, body }) => (body === null ? head : `${head}{${body}}`)).join("");
}

/** The rules of one level, those within them unread; what ends in a semicolon has no body. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  let start = 0;
  let open = 0;
  let head = "";
  for (const { index, 0: sign } of css.matchAll(/\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\/\*[\s\S]*?\*\/|[{};]/g)) {
    if (sign === "{" && open++ === 0) {
      head = css.slice(start, index).trim();
      start = index + 1;
    } else if (sign === "}" && --open === 0) {
      rules.push({ head, body: css.slice(start, index) });
      start = index + 1;
    } else if (sign === ";" && open === 0) {
      rules.push({ head: css.slice(start, index + 1), body: null });
      start = index + 1;
    } else if (sign.startsWith("/*") && open === 0) start = index + sign.length;
  }
  if (open !== 0 || css.slice(start).trim() !== "")
    throw new Error(`A sheet ends in the middle of a rule: ${css.slice(start, start + 80)}`);
  return rules;
}

/** The selectors of a list, whose commas may also stand in brackets and in names. */
function selectorsOf(list: string): string[] {
  const selectors: string[] = [];
  let start = 0;
  let depth = 0;
  for (const { index, 0: sign } of list.matchAll(/\\.|[()[\],]/g)) {
    if (sign === "(" || sign === "[") depth += 1;
    else if (sign === ")" || sign === "]") depth -= 1;
    else if (sign === "," && depth === 0) {
      selectors.push(list.slice(start, index));
      start = index + 1;
    }
  }
  return [...selectors, list.slice(start)];
}

function unescape(name: string): string {
  return name
    .replaceAll(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\\(.)/g, "$1");
}
