import { h } from "./dom.ts";
import { type Block, blocksOf, type Inline } from "./format.ts";

/** A message's words as the app shows them. */
export function textElements(text: string): HTMLElement[] {
  return blocksOf(text).map(blockElement);
}

function blockElement(block: Block): HTMLElement {
  switch (block.kind) {
    case "code":
      return h("pre", {}, block.text);
    case "quote":
      return h("blockquote", {}, ...block.inlines.map(inlineNode));
    case "item":
      return h("p", { class: "item" }, h("span", { class: "mark" }, block.mark), h("span", {}, ...block.inlines.map(inlineNode)));
    case "paragraph":
      return h("p", {}, ...(block.inlines.length === 0 ? [h("br")] : block.inlines.map(inlineNode)));
  }
}

function inlineNode(piece: Inline): Node {
  switch (piece.kind) {
    case "text":
      return document.createTextNode(piece.text);
    case "code":
      return h("code", {}, piece.text);
    case "link":
      return h("a", { href: piece.text, target: "_blank", rel: "noreferrer" }, piece.text);
    case "bold":
      return h("strong", {}, ...piece.inlines.map(inlineNode));
    case "italic":
      return h("em", {}, ...piece.inlines.map(inlineNode));
    case "strike":
      return h("s", {}, ...piece.inlines.map(inlineNode));
  }
}

/** A number in groups: `+1 212 555 0123`. */
export function formatNumber(number: string): string {
  const american = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  if (american) return `+1 ${american[1]} ${american[2]} ${american[3]}`;
  return number.replace(/^(\+\d{2})(\d{3,4})(?=\d)/, "$1 $2 ").replace(/(\d{3,4})(\d{4})$/, "$1 $2");
}

/** A time of day. */
export function clock(iso: string): string {
  return new Date(iso).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** A day as the app parts messages by. */
export function day(iso: string): string {
  const [date, now] = [new Date(iso), new Date()];
  if (date.toDateString() === now.toDateString()) return "Today";
  return date.toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long" });
}

const ABOUT: Record<string, string> = {
  image: "Picture",
  audio: "Voice note",
  video: "Video",
  document: "Document",
  sticker: "Sticker",
  location: "Location",
  contacts: "Contact",
};

type InLine = { type: string; text: string; media: { filename: string | null } | null; is_deleted: boolean };

/** A message in a line. */
export function inLine({ type, text, media, is_deleted: isDeleted }: InLine): string {
  if (isDeleted) return "This message was deleted";
  const plain = text
    .replaceAll(/[*_~`]|^> /gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const about = ABOUT[type];
  if (about === undefined) return plain;
  const caption = plain === "" && type === "document" ? (media?.filename ?? "") : plain;
  return caption === "" ? about : `${about}: ${caption}`;
}
