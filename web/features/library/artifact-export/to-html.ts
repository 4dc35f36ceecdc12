import type { PhrasingContent, RootContent, Table, TableCell } from "mdast";
import { parseDocument } from "#shared/markdown/bounded-document.ts";
import { isLooseList } from "#shared/markdown/loose-list.ts";
import { collectReferences, type References } from "#shared/markdown/references.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { rowsOfEqualLength } from "#shared/markdown/table-data.ts";
import { noPictures, type Picture, type Pictures } from "./load-pictures.ts";

type Context = { references: References; pictures: Pictures };

const STYLE =
  "body{max-width:44rem;margin:3rem auto;padding:0 1rem;font:16px/1.6 system-ui,sans-serif;color:#20241f}h1,h2,h3{line-height:1.25}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #d5d9d2;padding:.4em .8em;text-align:left}pre{background:#f2f3f0;padding:1em;overflow:auto;border-radius:8px}blockquote{margin-left:0;padding-left:1em;border-left:2px solid #d5d9d2}img{max-width:100%;height:auto}";

/** An artifact as an HTML document of its own: all text is escaped, HTML in it is shown as text, and nothing runs. */
export function toHtml(title: string, markdown: string, pictures: Pictures = noPictures): string {
  const nodes = parseDocument(markdown).map(({ node }) => node);
  const references = collectReferences(nodes);
  const context: Context = { references, pictures };
  const notes = references.footnotes.map(({ children }) => `<li>${blocks(children, context)}</li>`).join("");
  const body = blocks(nodes, context) + (notes === "" ? "" : `<hr><ol>${notes}</ol>`);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head>\n<body>\n<h1>${escaped(title)}</h1>\n${body}\n</body></html>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function blocks(nodes: readonly RootContent[], context: Context): string {
  return nodes.map((node) => block(node, context)).join("\n");
}

function block(node: RootContent, context: Context): string {
  switch (node.type) {
    case "paragraph":
      return `<p>${inline(node.children, context)}</p>`;
    case "heading": {
      // The document's own heading is the title.
      const level = Math.min(6, node.depth + 1);
      return `<h${level}>${inline(node.children, context)}</h${level}>`;
    }
    case "list": {
      const tag = node.ordered ? "ol" : "ul";
      const start = node.ordered && node.start != null && node.start !== 1 ? ` start="${node.start}"` : "";
      const items = node.children.map(({ children, checked }) => {
        const mark = checked == null ? "" : checked ? "\u2611 " : "\u2610 ";
        const isTight = !isLooseList(node);
        const rendered = children.map((child) =>
          isTight && child.type === "paragraph" ? inline(child.children, context) : block(child, context),
        );
        return `<li>${mark}${rendered.join("\n")}</li>`;
      });
      return `<${tag}${start}>${items.join("")}</${tag}>`;
    }
    case "table":
      return table(node, context);
    case "code":
      return `<pre><code>${escaped(node.value)}</code></pre>`;
    case "math":
      return `<pre><code>${escaped(node.value)}</code></pre>`;
    case "blockquote":
      return `<blockquote>${blocks(node.children, context)}</blockquote>`;
    case "thematicBreak":
      return "<hr>";
    case "html":
      return `<p>${escaped(node.value)}</p>`;
    default:
      return "";
  }
}

function table(node: Table, context: Context): string {
  const row = (cells: readonly TableCell[], tag: "th" | "td") =>
    cells.map((cell, column) => {
      const side = node.align?.[column];
      return `<${tag}${side ? ` style="text-align:${side}"` : ""}>${inline(cell.children, context)}</${tag}>`;
    });
  const gaps = (empty: readonly number[]) => empty.map((span) => (span === 1 ? "<td></td>" : `<td colspan="${span}"></td>`));
  const body = rowsOfEqualLength(node).map(({ cells, empty }) => `<tr>${[...row(cells, "td"), ...gaps(empty)].join("")}</tr>`);
  return `<table><thead><tr>${row(node.children[0]?.children ?? [], "th").join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function inline(nodes: readonly PhrasingContent[], context: Context): string {
  return nodes.map((node) => phrase(node, context)).join("");
}

function phrase(node: PhrasingContent, context: Context): string {
  switch (node.type) {
    case "text":
      return escaped(node.value);
    case "strong":
      return `<strong>${inline(node.children, context)}</strong>`;
    case "emphasis":
      return `<em>${inline(node.children, context)}</em>`;
    case "delete":
      return `<del>${inline(node.children, context)}</del>`;
    case "inlineCode":
    case "inlineMath":
      return `<code>${escaped(node.value)}</code>`;
    case "break":
      return "<br>";
    case "link":
      return linked(node.url, inline(node.children, context));
    case "linkReference":
      return linked(context.references.definitions.get(node.identifier)?.url ?? "", inline(node.children, context));
    case "image":
      return image(node.url, node.alt, context);
    case "imageReference":
      return image(context.references.definitions.get(node.identifier)?.url ?? "", node.alt, context);
    case "html":
      return escaped(node.value);
    case "footnoteReference": {
      const number = context.references.footnotes.findIndex(({ identifier }) => identifier === node.identifier) + 1;
      return number === 0 ? "" : `<sup>${number}</sup>`;
    }
    default:
      return "";
  }
}

function linked(url: string, text: string): string {
  const href = safeUrl(url);
  return href ? `<a href="${escaped(href)}">${text}</a>` : text;
}

function image(url: string, alt: string | null | undefined, { pictures }: Context): string {
  const picture = pictures.get(url);
  if (!picture) return linked(url, escaped(alt || "Image"));
  const { width, height } = picture;
  return `<img src="${toDataUrl(picture)}" alt="${escaped(alt ?? "")}" width="${width}" height="${height}">`;
}

/** Bytes that are made letters at once: a call takes only so many arguments. */
const CHUNK = 0x8000;

function toDataUrl({ type, data }: Picture): string {
  let letters = "";
  for (let at = 0; at < data.length; at += CHUNK) letters += String.fromCharCode(...data.subarray(at, at + CHUNK));
  return `data:image/${type === "jpg" ? "jpeg" : type};base64,${btoa(letters)}`;
}
