import type { PhrasingContent, RootContent, Table } from "mdast";
import { parseDocument } from "#shared/markdown/document.ts";
import { collectReferences, type References } from "#shared/markdown/references.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";

const STYLE =
  "body{max-width:44rem;margin:3rem auto;padding:0 1rem;font:16px/1.6 system-ui,sans-serif;color:#20241f}h1,h2,h3{line-height:1.25}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #d5d9d2;padding:.4em .8em;text-align:left}pre{background:#f2f3f0;padding:1em;overflow:auto;border-radius:8px}blockquote{margin-left:0;padding-left:1em;border-left:2px solid #d5d9d2}img{max-width:100%}";

/** An artifact as an HTML document of its own: all text is escaped, HTML in it is shown as text, and nothing runs. */
export function toHtml(title: string, markdown: string): string {
  const nodes = parseDocument(markdown).map(({ node }) => node);
  const references = collectReferences(nodes);
  const notes = references.footnotes.map(({ children }) => `<li>${blocks(children, references)}</li>`).join("");
  const body = blocks(nodes, references) + (notes === "" ? "" : `<hr><ol>${notes}</ol>`);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head>\n<body>\n<h1>${escaped(title)}</h1>\n${body}\n</body></html>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function blocks(nodes: readonly RootContent[], references: References): string {
  return nodes.map((node) => block(node, references)).join("\n");
}

function block(node: RootContent, references: References): string {
  switch (node.type) {
    case "paragraph":
      return `<p>${inline(node.children, references)}</p>`;
    case "heading": {
      // The document's own heading is the title.
      const level = Math.min(6, node.depth + 1);
      return `<h${level}>${inline(node.children, references)}</h${level}>`;
    }
    case "list": {
      const tag = node.ordered ? "ol" : "ul";
      const start = node.ordered && node.start != null && node.start !== 1 ? ` start="${node.start}"` : "";
      const items = node.children.map(({ children, checked }) => {
        const mark = checked == null ? "" : checked ? "\u2611 " : "\u2610 ";
        const [only] = children;
        const isTight = !node.spread && children.length === 1 && only?.type === "paragraph";
        return `<li>${mark}${isTight ? inline(only.children, references) : blocks(children, references)}</li>`;
      });
      return `<${tag}${start}>${items.join("")}</${tag}>`;
    }
    case "table":
      return table(node, references);
    case "code":
      return `<pre><code>${escaped(node.value)}</code></pre>`;
    case "math":
      return `<pre><code>${escaped(node.value)}</code></pre>`;
    case "blockquote":
      return `<blockquote>${blocks(node.children, references)}</blockquote>`;
    case "thematicBreak":
      return "<hr>";
    case "html":
      return `<p>${escaped(node.value)}</p>`;
    default:
      return "";
  }
}

function table({ children, align }: Table, references: References): string {
  const rows = children.map(({ children: cells }, index) => {
    const tag = index === 0 ? "th" : "td";
    const row = cells.map((cell, column) => {
      const side = align?.[column];
      return `<${tag}${side ? ` style="text-align:${side}"` : ""}>${inline(cell.children, references)}</${tag}>`;
    });
    return `<tr>${row.join("")}</tr>`;
  });
  return `<table><thead>${rows[0] ?? ""}</thead><tbody>${rows.slice(1).join("")}</tbody></table>`;
}

function inline(nodes: readonly PhrasingContent[], references: References): string {
  return nodes.map((node) => phrase(node, references)).join("");
}

function phrase(node: PhrasingContent, references: References): string {
  switch (node.type) {
    case "text":
      return escaped(node.value);
    case "strong":
      return `<strong>${inline(node.children, references)}</strong>`;
    case "emphasis":
      return `<em>${inline(node.children, references)}</em>`;
    case "delete":
      return `<del>${inline(node.children, references)}</del>`;
    case "inlineCode":
    case "inlineMath":
      return `<code>${escaped(node.value)}</code>`;
    case "break":
      return "<br>";
    case "link":
      return linked(node.url, inline(node.children, references));
    case "linkReference":
      return linked(references.definitions.get(node.identifier)?.url ?? "", inline(node.children, references));
    case "image":
      return linked(node.url, escaped(node.alt ?? "Image"));
    case "imageReference":
      return linked(references.definitions.get(node.identifier)?.url ?? "", escaped(node.alt ?? "Image"));
    case "html":
      return escaped(node.value);
    case "footnoteReference": {
      const number = references.footnotes.findIndex(({ identifier }) => identifier === node.identifier) + 1;
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
