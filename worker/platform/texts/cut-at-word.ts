/** Characters of the longest word that a cut gives way to; scripts without spaces are cut anywhere. */
const LONGEST_WORD = 60;

/** A text's beginning of at most `limit` characters: it ends between two words and with an ellipsis where something is left out. */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit < 1) return "";
  const head = text.slice(0, limit - 1);
  const near = head.slice(-LONGEST_WORD);
  const space = near.search(/\s\S*$/);
  const isBetween = /\s/.test(text.charAt(head.length));
  const shortened = isBetween || space === -1 ? head : head.slice(0, head.length - near.length + space);
  return `${shortened.replace(/[\uD800-\uDBFF]$/, "").trimEnd()}…`;
}

/** A text's end of at most `limit` characters: it begins between two words and with an ellipsis where something is left out. */
export function cutBeforeWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit < 1) return "";
  const from = text.length - limit + 1;
  const tail = text.slice(from);
  const space = tail.slice(0, LONGEST_WORD).search(/\s/);
  const isBetween = /\s/.test(text.charAt(from - 1));
  const shortened = isBetween || space === -1 ? tail : tail.slice(space);
  return `…${shortened.replace(/^[\uDC00-\uDFFF]/, "").trimStart()}`;
}
