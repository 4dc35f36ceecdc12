/** The aggregator's rule for names of tools. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Room for what distinguishes two shortened names: an underscore and eight hexadecimal digits. */
const NAME_PREFIX_LENGTH = 55;

/** What models call a tool: its id, or where that breaks the aggregator's rule, a name made of it that is as good as unique. */
export function toWireName(id: string): string {
  return NAME.test(id) ? id : `${id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, NAME_PREFIX_LENGTH)}_${digest(id)}`;
}

/** FNV-1a of a text's UTF-16 units, as eight hexadecimal digits. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
