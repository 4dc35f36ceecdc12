import type { PhoneMessage } from "../../conversations.ts";
import { h } from "./dom.ts";

const NAMES = { accepted: "Waiting", sent: "Sent", delivered: "Delivered", read: "Read", failed: "Not delivered" } as const;

/** How far an own message came: one tick sent, two delivered, two in blue read. */
export function ticks(status: PhoneMessage["status"]): HTMLElement {
  const isTwo = status === "delivered" || status === "read";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({
    viewBox: "0 0 18 12",
    width: 18,
    height: 12,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 1.7,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  })) {
    svg.setAttribute(name, String(value));
  }
  for (const d of ["M2 6.5l3 3.2L11.5 2.5", ...(isTwo ? ["M8.4 9.2l.6.5L15.5 2.5"] : [])]) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return h("span", { class: `ticks ${status}`, role: "img", "aria-label": NAMES[status], title: NAMES[status] }, svg);
}
