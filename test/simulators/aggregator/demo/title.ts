import { parseDirectives } from "../directives.ts";
import { significantWords } from "./subject.ts";

/** The part of a title request that is the person's own first text: what follows `User:` or stands in `<user>` or quotation marks, else all of it. */
function quotedText(prompt: string): string {
  const tagged = /<(?:user|message|question|first_message)[^>]*>([\s\S]*?)<\//i.exec(prompt)?.[1];
  const labelled = /(?:^|\n)\s*(?:user|question|human|person)\s*:\s*([\s\S]*?)(?=\n\s*(?:assistant|answer|model|reply)\s*:|$)/i.exec(
    prompt,
  )?.[1];
  const quoted = /["“]([\s\S]+?)["”]/.exec(prompt)?.[1];
  return tagged ?? labelled ?? quoted ?? prompt;
}

/** A title of at most six words out of the quoted first text. */
export function titleAnswer(prompt: string): string {
  const quoted = quotedText(prompt).trim();
  const { prompt: plain, say } = parseDirectives(quoted);
  const text = plain || say || quoted;
  const sense = significantWords(text).slice(0, 5);
  const words = sense.length >= 3 ? sense : (text.match(/\S+/g) ?? []).slice(0, 6);
  const title = words.join(" ").replace(/[.,:;!?"“”]+$/u, "");
  if (title === "") return "A new conversation";
  const [first = ""] = Array.from(title);
  const padded = words.length >= 3 ? title : `${title}, a conversation`;
  return first.toUpperCase() + padded.slice(first.length);
}

/** True when the first system message asks for a conversation's title, and no tools are offered. */
export function isTitleRequest(systemText: string, hasTools: boolean): boolean {
  return !hasTools && /\btitle\b/i.test(systemText) && /\bconversation\b/i.test(systemText);
}
