import type { CompileContext, Extension, Token } from "mdast-util-from-markdown";
import { findLiteralLinks } from "./literal-links.ts";
import "./nodes.ts";

function enterAddress(this: CompileContext, token: Token): undefined {
  this.config.enter["autolinkProtocol"]?.call(this, token);
}

function enterCell(this: CompileContext, token: Token): undefined {
  this.enter({ type: "tableCell", children: [] }, token);
}

function enterLabel(this: CompileContext): undefined {
  this.buffer();
}

function leave(this: CompileContext, token: Token): undefined {
  this.exit(token);
}

/** Gives a footnote's call or definition its label, and the identifier by which the two find each other. */
function takeLabel(this: CompileContext, token: Token): undefined {
  const label = this.resume();
  const node = this.stack.at(-1);
  if (node?.type !== "footnoteReference" && node?.type !== "footnoteDefinition") return;
  const words = this.sliceSerialize(token).replace(/[\t\n\r ]+/g, " ");
  // Unicode's folding of cases, as near as it can be had: `ẞ` is `ss`.
  node.identifier = words.replace(/^ | $/g, "").toLowerCase().toUpperCase().toLowerCase();
  node.label = label;
}

function checkTask(this: CompileContext, { type }: Token): undefined {
  const item = this.stack.at(-2);
  if (item?.type === "listItem") item.checked = type === "taskListCheckValueChecked";
}

/** A task's text begins behind its box and one space. */
function leaveParagraph(this: CompileContext, token: Token): undefined {
  const [item, paragraph] = this.stack.slice(-2);
  if (item?.type === "listItem" && typeof item.checked === "boolean" && paragraph?.type === "paragraph") {
    const [first] = paragraph.children;
    if (first?.type === "text" && item.children.find(({ type }) => type === "paragraph") === paragraph) {
      first.value = first.value.slice(1);
      if (first.value === "") paragraph.children.shift();
      else if (first.position?.start.offset !== undefined && paragraph.position) {
        first.position.start.column += 1;
        first.position.start.offset += 1;
        paragraph.position.start = { ...first.position.start };
      }
    }
  }
  this.exit(token);
}

/**
 * Makes nodes of what GitHub adds to CommonMark: tables, tasks, struck-out text, footnotes and bare addresses. It does what
 * `mdast-util-gfm` does in a third of the bytes, which every page with an answer loads; a test compares the two.
 */
export const gfmNodes: Extension = {
  canContainEols: ["delete"],
  transforms: [findLiteralLinks],
  enter: {
    gfmFootnoteCall(token) {
      this.enter({ type: "footnoteReference", identifier: "", label: "" }, token);
    },
    gfmFootnoteCallString: enterLabel,
    gfmFootnoteDefinition(token) {
      this.enter({ type: "footnoteDefinition", identifier: "", label: "", children: [] }, token);
    },
    gfmFootnoteDefinitionLabelString: enterLabel,
    literalAutolink(token) {
      this.enter({ type: "link", title: null, url: "", children: [] }, token);
    },
    literalAutolinkEmail: enterAddress,
    literalAutolinkHttp: enterAddress,
    literalAutolinkWww: enterAddress,
    strikethrough(token) {
      this.enter({ type: "delete", children: [] }, token);
    },
    table(token) {
      const align = (token._align ?? []).map((side) => (side === "none" ? null : side));
      this.enter({ type: "table", align, children: [] }, token);
      this.data.inTable = true;
    },
    tableData: enterCell,
    tableHeader: enterCell,
    tableRow(token) {
      this.enter({ type: "tableRow", children: [] }, token);
    },
  },
  exit: {
    codeText(token) {
      const value = this.resume();
      const node = this.stack.at(-1);
      // In a cell, a pipe within code has a backslash in front; a backslash has none.
      if (node?.type === "inlineCode")
        node.value = this.data.inTable ? value.replace(/\\([\\|])/g, (pair, sign) => (sign === "|" ? sign : pair)) : value;
      this.exit(token);
    },
    gfmFootnoteCall: leave,
    gfmFootnoteCallString: takeLabel,
    gfmFootnoteDefinition: leave,
    gfmFootnoteDefinitionLabelString: takeLabel,
    literalAutolink: leave,
    literalAutolinkEmail(token) {
      this.config.exit["autolinkEmail"]?.call(this, token);
    },
    literalAutolinkHttp(token) {
      this.config.exit["autolinkProtocol"]?.call(this, token);
    },
    literalAutolinkWww(token) {
      this.config.exit["data"]?.call(this, token);
      const node = this.stack.at(-1);
      if (node?.type === "link") node.url = `http://${this.sliceSerialize(token)}`;
    },
    paragraph: leaveParagraph,
    strikethrough: leave,
    table(token) {
      this.exit(token);
      this.data.inTable = undefined;
    },
    tableData: leave,
    tableHeader: leave,
    tableRow: leave,
    taskListCheckValueChecked: checkTask,
    taskListCheckValueUnchecked: checkTask,
  },
};
