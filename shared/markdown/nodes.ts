import type { Data, Literal } from "mdast";

/** A formula on lines of its own: `$$` or `\[` fences. */
export interface Math extends Literal {
  type: "math";
  data?: FenceData;
}

/** A formula inside a paragraph; `display` when its delimiters ask for a line of its own. */
export interface InlineMath extends Literal {
  type: "inlineMath";
  data?: Data & { display?: boolean };
}

interface FenceData extends Data {
  /** True once the closing fence was read, so nothing can change any more. */
  closed?: boolean;
}

declare module "mdast" {
  interface CodeData extends FenceData {}
  interface BlockContentMap {
    math: Math;
  }
  interface PhrasingContentMap {
    inlineMath: InlineMath;
  }
  interface RootContentMap {
    math: Math;
    inlineMath: InlineMath;
  }
}

declare module "mdast-util-from-markdown" {
  interface CompileData {
    inTable?: boolean | undefined;
  }
}

declare module "micromark-util-types" {
  interface Token {
    /** How a table's columns are aligned. */
    _align?: ("center" | "left" | "none" | "right")[] | undefined;
  }
  interface TokenTypeMap {
    taskListCheckValueChecked: "taskListCheckValueChecked";
    taskListCheckValueUnchecked: "taskListCheckValueUnchecked";
    mathFlow: "mathFlow";
    mathFlowFence: "mathFlowFence";
    mathFlowValue: "mathFlowValue";
    mathText: "mathText";
    mathTextData: "mathTextData";
    mathTextSequence: "mathTextSequence";
  }
}
