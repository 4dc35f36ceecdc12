import { parseWithin, REQUEST_UNITS } from "#shared/markdown/bounded-document.ts";
import { WorkMeter } from "#shared/markdown/work-meter.ts";
import { toHtml } from "#worker/conversation/public-page/to-html.ts";

/** A message without sources and formulas, alone on its page. */
export const NO_CITATIONS = { citations: [], prefix: "m-", typeset: () => null };

/** A message's HTML on a page of its own. */
export function htmlOf(content: string, made: Parameters<typeof toHtml>[1] = NO_CITATIONS): string {
  return toHtml({ content, nodes: parseWithin(content, new WorkMeter(REQUEST_UNITS)) }, made);
}

/** Every tag of a text's HTML, by name with its attributes. */
export function tagsOf(markdown: string): string[] {
  return [...htmlOf(markdown).matchAll(/<([a-z][^>]*)>/g)].map(([, tag = ""]) => tag);
}

/** What may stand in a page: no element that loads, runs or sends anything. */
export const ALLOWED_TAG =
  /^(?:p|em|strong|del|br|hr|code|pre|figure|figcaption|blockquote|ul|ol|li|sup|div|table|thead|tbody|tr|th|td|span|h[3-6]|a)(?: (?:class|start|scope|colspan|dir|id|tabindex|role|aria-label|target|rel)="[^"<>]*"| href="(?:https?:\/\/|mailto:|tel:|#)[^"<>]*")*$/;
