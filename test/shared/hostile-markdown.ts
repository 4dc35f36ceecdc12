/** Characters of a text that was made to keep its reader busy: what a message may hold, by half. */
const length = 99_000;

function repeated(part: string, behind = ""): string {
  return part.repeat(Math.floor((length - behind.length) / part.length)) + behind;
}

/** The text among those below that the parser's meter refuses the soonest. */
export const tooMuchMarkdown = "*a_".repeat(4_000);

/** Texts whose parse takes seconds, some minutes, by what they are made of. */
export const hostileMarkdown: Record<string, string> = {
  "emphasis of two kinds": tooMuchMarkdown,
  "closers alone": repeated("a* "),
  "strong words without spaces": repeated("a**b"),
  "nested emphasis": `${"*".repeat(length / 2)}a${"*".repeat(length / 2)}`,
  "emphasis in emphasis": `${"*a ".repeat(length / 6)}${" a*".repeat(length / 6)}`,
  "a quote a paragraph": repeated("> a\n\n"),
  "lazy lines of quotes": repeated("> a\nb\n"),
  "quotes in quotes": `${">".repeat(length)}a`,
  "lines with pipes": repeated("|a\n"),
  "lists in a line": repeated("- ", "a"),
  "lists in a line, and lines": `${"- ".repeat(length / 4)}a\n${"\n".repeat(length / 4)}b`,
  "brackets in brackets": `${"[".repeat(length / 2)}a${"]".repeat(length / 2)}`,
  "links in links": `${"[".repeat(length / 2)}a${"](x)".repeat(length / 8)}`,
  "images in images": `${"![".repeat(length / 4)}a${"](x)".repeat(length / 8)}`,
  "links without an end": repeated("[a]("),
  "comments without an end": repeated("<!--", "a").replace("<", "a <"),
  "instructions without an end": repeated("<?", "a").replace("<", "a <"),
  "code of any length": Array.from({ length: 440 }, (_, index) => `${"`".repeat(index + 1)}a`).join(""),
};

/** Texts that look as bad and are read in a moment. */
export const busyMarkdown = [
  `> ${"*a **b ".repeat(3_000)}`,
  `words\n${"[".repeat(3_000)}`,
  "`a``b```".repeat(1_000),
  "\\(".repeat(10_000),
  "\\[".repeat(10_000),
  `${"www.".repeat(5_000)}a_b.c_d`,
  "&".repeat(20_000),
  repeated("a]"),
  `http://a.b/${repeated("])")}`,
  `${"[a]: /u\n".repeat(300)}${"[a] ".repeat(300)}`,
];
