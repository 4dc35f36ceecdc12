import { createElement } from "react";
import { presenterOf } from "./presenters/registry.ts";

/** The picture of a tool. Decorative: its name stands beside it. */
export function ToolIcon({ tool, className }: { tool: string; className: string }) {
  return createElement(presenterOf(tool).icon, { "aria-hidden": true, className });
}
