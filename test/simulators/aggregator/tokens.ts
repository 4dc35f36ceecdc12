/** Cuts text into chunks the size of tokens (about four characters); joined they are the text again. */
export function splitIntoTokens(text: string): string[] {
  return text.match(/\s*(?:[\p{L}\p{M}\p{N}]{1,6}|[^\s\p{L}\p{M}\p{N}])|\s+/gu) ?? [];
}

/** A rough count of a prompt's tokens: four characters each. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
