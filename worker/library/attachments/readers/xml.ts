/** What a walk through a document meets. Names come without their namespace's prefix. */
export type XmlEvent =
  | { kind: "open"; name: string; attribute: (name: string) => string | null }
  | { kind: "close"; name: string }
  | { kind: "text"; text: string };

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Walks through XML in one pass and in constant memory: nothing is built of it, so depth costs nothing, and no entity
 * but XML's own five and numbers is known, so none can multiply. What is broken is read as far as it goes.
 */
export function* readXml(xml: string): Generator<XmlEvent, void, undefined> {
  for (let at = 0; at < xml.length;) {
    const tag = xml.indexOf("<", at);
    if (tag !== at) yield { kind: "text", text: decodeEntities(xml.slice(at, tag === -1 ? xml.length : tag)) };
    if (tag === -1) return;
    if (xml.startsWith("<![CDATA[", tag)) {
      const end = endOf(xml, "]]>", tag);
      yield { kind: "text", text: xml.slice(tag + "<![CDATA[".length, end) };
      at = end + "]]>".length;
    } else if (xml.startsWith("<!--", tag)) {
      at = endOf(xml, "-->", tag) + "-->".length;
    } else {
      const end = endOfTag(xml, tag);
      yield* readTag(xml.slice(tag + 1, end));
      at = end + 1;
    }
  }
}

function* readTag(tag: string): Generator<XmlEvent, void, undefined> {
  if (tag.startsWith("?") || tag.startsWith("!")) return;
  if (tag.startsWith("/")) return yield { kind: "close", name: localName(tag.slice(1).trim()) };
  const name = localName(/^[^\s/]*/.exec(tag)?.[0] ?? "");
  yield { kind: "open", name, attribute: (wanted) => attributeOf(tag, wanted) };
  if (tag.endsWith("/")) yield { kind: "close", name };
}

function endOf(xml: string, mark: string, from: number): number {
  const end = xml.indexOf(mark, from);
  return end === -1 ? xml.length : end;
}

/** Where a tag ends: a `>` may stand in a quoted value. */
function endOfTag(xml: string, from: number): number {
  let quote = "";
  for (let at = from + 1; at < xml.length; at += 1) {
    const character = xml[at];
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at;
  }
  return xml.length;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function attributeOf(tag: string, wanted: string): string | null {
  for (const [, name = "", double, single] of tag.matchAll(/\s([^\s=]{1,100})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g)) {
    if (localName(name) === wanted) return decodeEntities(double ?? single ?? "");
  }
  return null;
}

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name)] ?? whole;
    const point = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
