/** A key or id in words: `reply_to`, `replyTo` and `reply-to` are 'Reply to'. */
export function humanize(name: string): string {
  const text = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_\-.\s]+/g, " ")
    .trim()
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
