const STOP_WORDS = new Set(
  "a an and are as at be but by can could do does for from give had has have how i if in into is it its just like make me my of on one or our please should show so some tell that the their them then there these this to us want was we were what when where which who why will with would write you your about need help explain".split(
    " ",
  ),
);

/** The words of a text that carry its sense, in their order. */
export function significantWords(text: string): string[] {
  return (text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.-]*/gu) ?? [])
    .map((word) => word.replace(/[.'’-]+$/u, ""))
    .filter((word) => word !== "" && !STOP_WORDS.has(word.toLowerCase()));
}

/** What a prompt is about, as two or three of its words in bold, or `this`. */
export function subjectOf(prompt: string): string {
  const words = significantWords(prompt).slice(0, 3);
  return words.length === 0 ? "this" : `**${words.join(" ")}**`;
}

/** The first line of a text as a quotation of at most `length` characters. */
export function quote(text: string, length = 60): string {
  const line = text.trim().split("\n")[0]?.trim() ?? "";
  const characters = Array.from(line);
  return `“${
    characters.length > length
      ? `${characters
          .slice(0, length - 1)
          .join("")
          .trimEnd()}…`
      : line
  }”`;
}
