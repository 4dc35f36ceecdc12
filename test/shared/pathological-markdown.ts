/** Texts that keep parsers of markdown busy, in the manner of the suites that such parsers are tested with. */
const LENGTH = 100_000;

function filled(part: string, before = "", behind = ""): string {
  return before + part.repeat(Math.ceil((LENGTH - before.length - behind.length) / part.length)) + behind;
}

/** Numbered parts, as many as there is room for. */
function counted(part: (index: number) => string, behind = ""): string {
  let text = "";
  for (let index = 0; text.length + behind.length < LENGTH; index += 1) text += part(index);
  return text + behind;
}

function nested(open: string, close: string): string {
  const times = Math.floor(LENGTH / (open.length + close.length));
  return `${open.repeat(times)}a${close.repeat(times)}`;
}

const repeatedParts = [
  // Emphasis
  ..."*a_ |*a **a |**a *a |_a __a|*a |a* |a**b|a*b_|**a|_a|*_|* _|***a** b*|*a_b_|x*y__z |__a__ |a_b_|~~a |~a ~~b |a~~|*a~~b |a**b c* ".split(
    "|",
  ),
  // Brackets, links, images and notes
  ..."[|]|[]|![|[a]|[a](|[a](b|[a](<b|![a](|[a](b\"|[[a](b)|[a][|[ (](|[a](b)|[![a](b)](c)|[a\\]|[a](b 'c|[a](\\(|[^a]|![^a]|[^a]: |[a]: |a]|[^|![^|]: |](a)|[a](())".split(
    "|",
  ),
  ..."[a]: u\n|[a]:\n|[a]: b '|[^a]: b\n|[^a]: b\n\n|[a\n|[a](\n|[a]: <b\n|[a]: b\n'c\n".split("|"),
  // Code
  ..."`|`a``b|``` a|`\n|```\n|``` a\n|~~~\na\n|`a`|`a`b``c```".split("|"),
  // Markup of HTML
  ..."<|<a|<a |<a href=|<a b=\"|</|</a|<!--|<!-- -|<?|<!A|<![CDATA[|<a>|<div>\n|<div>\n\n|<script>\n|<!--\n|<a b='c' |a <!--|a <?|a <!A|<a/>|<!-->|a <![CDATA[".split(
    "|",
  ),
  // Character references and escapes
  ..."&|&#|&#x|&amp;|&amp|&a|&#1;|\\|\\a|\\\n|\\*|&lt;*".split("|"),
  // Addresses
  ..."www.|http://|https://a.b|a@b.c|a@|a.b@c|(https://a.b|www.a.b |http://a.b/) |<http:|<a@|<a@b.|mailto:|xmpp:a@b|a_b@c_d|a+|a.|https://a.b/<|@a|w|h|http|_www.|www.a.b)|a@b.c |-a@b".split(
    "|",
  ),
  // Containers
  ...">|> |> a\n|> a\n\n|> a\nb\n|>\n|- |* |1. |+\t|- a\n|- a\n\n|-\n|1)\n|- [ ] a\n|- > |> - |1. - > |- a\n  b\n|1. a\n|* a\n+ b\n|> ```\n|> #\n|- ```\n|- a\n\n  b\n".split(
    "|",
  ),
  // Lines
  ..."#|# a\n|# |a\n===\n|a\n---\n|---\n|***\n|    a\n|\ta|a  \n|a\\\n| |\t|\n|\r|\r\n| \n|a|a\n|a |=|-|a\n\n| a\n|\t\n".split("|"),
  // Formulas
  ..."$|$$|$a|$a |$a$ |$$\n|$$a\n|\\(|\\[|\\[\n|\\(a|$a\n|\\(a\\)|$$a$$".split("|"),
  // Other writing, and what is none
  ..."漢|漢*|「*」|😀|e\u0301|\u202E|\u0000|\uFEFF|\u00A0*|*\u00A0|、_|\uD800".split("|"),
  // Several at once
  ..."*[|[*|`[|<*|_[a](b|*a `b|[`a|[a](`|![*|> *|- *a_ |[a_](b*|*`<[|~[|$[|[$|*a$|<[a](|&[|\\[[|*a\n|[a]\n\n|[a]*|> [a\n|- [a](\n|*a\n\n".split(
    "|",
  ),
  // Rows
  "|",
  "|a",
  "|a\n",
  "|a|\n|-|\n",
  "|a|\n|-|\n\n",
  "a|b\n-|-\n",
  "|-",
  "\\|",
  "|`a",
  "|-\n",
  ":-",
  "|*a",
  "> |a\n",
];

const made: Record<string, string> = {
  "nested emphasis": nested("*", "*"),
  "emphasis in emphasis": nested("*a ", " a*"),
  "nested strong": nested("**a ", " a**"),
  "nested strokes": nested("~~a ", " a~~"),
  "nested brackets": nested("[", "]"),
  "nested links": nested("[", "](x)"),
  "nested images": nested("![", "](x)"),
  "nested references": `${nested("[", "][a]").slice(0, -20)}\n\n[a]: u`,
  "nested parentheses in an address": `[a](${nested("(", ")")})`,
  "nested parentheses behind an address": nested("(www.a.b", ")"),
  "quotes around code": filled("`", "> ".repeat(100)),
  "quotes in quotes, and lines": `${"> ".repeat(1_000)}a\n${filled("a\n").slice(2_003)}`,
  "lists in a line, and lines": `${"- ".repeat(LENGTH / 4)}a\n${"\n".repeat(LENGTH / 2)}b`,
  "lists in lists": counted((index) => `${"  ".repeat(index)}- a\n`),
  "numbered lists in lists": counted((index) => `${"   ".repeat(index)}1. a\n`),
  "lists that turn back": counted((index) => `${"  ".repeat(index % 100)}- a\n`),
  "quotes that deepen": counted((index) => `${">".repeat(index)}a\n`),
  "quotes that deepen and end": counted((index) => `${">".repeat(index % 100)}a\n\n`),
  "quotes in lists": counted((index) => `${"> - ".repeat(index % 50)}a\n`),
  "code of any length": counted((index) => `${"`".repeat(index + 1)}a`),
  "code of shrinking length": counted((index) => `${"`".repeat(440 - (index % 440))}a`),
  "fences of any length": counted((index) => `${"`".repeat(index + 3)}\n`),
  "one fence": filled("a\n", "```\n"),
  "one formula": filled("a$\n", "$$\n"),
  "one comment": filled("-", "<!--"),
  "one tag": filled(" a", "<a"),
  "one attribute": filled("a", '<a b="'),
  "one closing tag": filled(" ", "</a"),
  "one label": filled("a", "[", "]"),
  "one label of lines": filled("a\n", "[", "]: u"),
  "one title": filled("a\n", '[a]: u "'),
  "one address": filled("a", "[a](", ")"),
  "an address and underscores": filled("_", "https://test.com/"),
  "an address and parentheses": filled(")", "https://test.com/"),
  "an address and opening parentheses": filled("(", "https://test.com/"),
  "an address and references": filled("&amp;", "https://test.com/"),
  "an address and semicolons": filled("a;", "https://test.com/&"),
  "an address and stops": filled(".", "https://test.com/"),
  "an address and asterisks": filled("*", "www.test.com/"),
  "an address and brackets": filled("])", "http://a.b/"),
  "an address of many names": filled("a.", "https://"),
  "an address of many underscores": filled("a_.", "www."),
  "a mail of many names": filled("a.", "a@"),
  "a mail of a long name": filled("a.", "", "@b.c"),
  "a mail of marks": filled("a-_+", "", "@b"),
  "a row of underscores": filled("_"),
  "a row of strokes": filled("~"),
  "a row of asterisks and words": counted((index) => `${"*".repeat(1 + (index % 7))}a `),
  "marks of three and four": counted(
    (index) => `${"*".repeat(1 + (index % 3))}${"_".repeat(1 + (index % 2))}a${"*".repeat(1 + (index % 2))}`,
  ),
  "notes that nobody defined": counted((index) => `[^${index}]`),
  "notes that nobody defined, in words": counted((index) => `a [^${index}] b `),
  "notes and their calls": `${counted((index) => `[^${index}]`).slice(0, LENGTH / 3)}]\n\n${counted((index) => `[^${index}]: b\n`).slice((LENGTH / 3) * 2 - LENGTH)}`,
  "notes defined": counted((index) => `[^${index}]: b\n`),
  "notes in notes": counted((index) => `[^${index}]: `),
  "one note called": filled("[^a]", "[^a]: b\n\n"),
  definitions: counted((index) => `[${index}]: u\n`),
  "definitions apart": counted((index) => `[${index}]: u\n\n`),
  "definitions and references": `${counted((index) => `[${index}]: u\n`).slice(0, LENGTH / 2)}\n\n${counted((index) => `[${index}] `).slice(0, LENGTH / 2)}`,
  "references, then definitions": `${counted((index) => `[${index}] `).slice(0, LENGTH / 2)}\n\n${counted((index) => `[${index}]: u\n`).slice(0, LENGTH / 2)}`,
  "references apart, then definitions": `${counted((index) => `[${index}]\n\n`).slice(0, LENGTH / 2)}\n\n${counted((index) => `[${index}]: u\n\n`).slice(0, LENGTH / 2)}`,
  "one reference": filled("[a] ", "[a]: u\n\n"),
  "one definition and brackets apart": filled("[\n\n", "[a]: u\n\n"),
  "one long definition": filled("[a] ", `[a]: ${"u".repeat(5_000)}\n\n`),
  "images of a reference": filled("![a]", "[a]: u\n\n"),
  "a wide table": `${"|a".repeat(12_500)}\n${"|-".repeat(12_500)}\n${"1\n".repeat(25_000)}`,
  "a wide table of wide rows": `${"|a".repeat(150)}\n${"|-".repeat(150)}\n${`${"|b".repeat(150)}\n`.repeat(330)}`,
  "a wide head": `${"|a".repeat(25_000)}\n${"|-".repeat(25_000)}`,
  "a wide head without its line": `${"|a".repeat(25_000)}\n${"|-".repeat(24_999)}`,
  "a long table": filled("|a|b|\n", "|a|b|\n|-|-|\n"),
  "a table of rows too wide": filled("|a|b|c|d|e|f|g|h\n", "|a|\n|-|\n"),
  "a table without bars": filled("a\n", "|a|\n|-|\n"),
  "a table of emphasis": filled("|*a_|\n", "|a|\n|-|\n"),
  "a table of code": filled("|`a\n", "|a|\n|-|\n"),
  "lines that may be a table": filled("a | b\n"),
  "a table in each item": filled("- |a|\n  |-|\n"),
  "headings of marks": filled("# *a_ [b](\n"),
  "a heading of marks": filled("*a_ ", "# "),
  "an item of marks": filled("*a_ ", "- "),
  "a quote of marks": filled("*a_ ", "> "),
  "a cell of marks": `|a|\n|-|\n|${filled("*a_ ")}|`,
  "a note of marks": filled("*a_ ", "[^a]: "),
  "lines of marks": filled("*a_\n"),
  "spaces within a line": filled(" ", "a", "b"),
  "tabs within a line": filled("\t", "a", "b"),
  "spaces and a break": filled("a   \n"),
  "blank lines with spaces": filled("     \n", "a\n"),
  "an item and blank lines": filled("\n", "- a\n", "b"),
  "an item and blank lines with spaces": filled("  \n", "- a\n", "  b"),
  "indented more and more": counted((index) => `${" ".repeat(index)}a\n`),
  "tabs more and more": counted((index) => `${"\t".repeat(index)}a\n`),
  "one word": filled("a"),
  "one word of another script": filled("字"),
  "one line of words": filled("word "),
  "lines of words": filled("some words of a line\n"),
};

/** Each by what it is made of. */
export const pathologicalMarkdown: Readonly<Record<string, string>> = {
  ...Object.fromEntries(repeatedParts.map((part) => [`${JSON.stringify(part)} again and again`, filled(part)])),
  ...made,
};
