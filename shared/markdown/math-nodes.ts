import type { CompileContext, Extension, Token } from "mdast-util-from-markdown";
import "./nodes.ts";

declare module "mdast-util-from-markdown" {
  interface CompileData {
    mathFlowInside?: boolean;
  }
}

function addData(this: CompileContext, token: Token): undefined {
  this.config.enter["data"]?.call(this, token);
  this.config.exit["data"]?.call(this, token);
}

/** Builds `math` and `inlineMath` nodes and notes on fenced blocks when their closing fence was read. */
export const mathNodes: Extension = {
  enter: {
    mathFlow(token) {
      this.enter({ type: "math", value: "" }, token);
    },
    mathFlowFence() {
      if (this.data.mathFlowInside) markClosed(this);
    },
    codeFencedFence() {
      if (this.data.flowCodeInside) markClosed(this);
    },
    mathText(token) {
      const source = this.sliceSerialize(token);
      const isDisplay = source.startsWith("$$") || source.startsWith("\\[");
      this.enter({ type: "inlineMath", value: "", ...(isDisplay && { data: { display: true } }) }, token);
      this.buffer();
    },
  },
  exit: {
    mathFlow(token) {
      const value = this.resume().replace(/^(\r?\n|\r)|(\r?\n|\r)$/g, "");
      const node = this.stack.at(-1);
      if (node?.type === "math") node.value = value;
      this.exit(token);
      this.data.mathFlowInside = undefined;
    },
    mathFlowFence() {
      if (this.data.mathFlowInside) return;
      this.buffer();
      this.data.mathFlowInside = true;
    },
    mathFlowValue: addData,
    mathTextData: addData,
    mathText(token) {
      const value = this.resume().trim();
      const node = this.stack.at(-1);
      if (node?.type === "inlineMath") node.value = value;
      this.exit(token);
    },
  },
};

function markClosed(context: CompileContext) {
  const node = context.stack.findLast(({ type }) => type === "code" || type === "math");
  if (node?.type === "code" || node?.type === "math") node.data = { closed: true };
}
