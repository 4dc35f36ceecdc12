/** True when the first system message asks for a question that is understood without its conversation. */
export function isRewriteRequest(systemText: string): boolean {
  return /^Rewrite the last question of the conversation\b/.test(systemText);
}

/** The last question with the words of the person's one before it. */
export function rewriteAnswer(prompt: string): string {
  const [, last = ""] = /The last question: ([\s\S]*)$/.exec(prompt) ?? [];
  const before = [...prompt.matchAll(/^The person: (.*)$/gm)].at(-1)?.[1] ?? "";
  return `${last.split("\n")[0]} (${before})`;
}
