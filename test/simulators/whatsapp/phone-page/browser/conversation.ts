import type { PhoneMessage } from "../../conversations.ts";
import { bubble } from "./bubble.ts";
import { composer } from "./composer.ts";
import { h, icon } from "./dom.ts";
import { openPhone, onChange, performAction, phone, state } from "./state.ts";
import { day, formatNumber } from "./text.ts";

/** What the phone that is looked at shows of its conversation with Polylogue. */
export function conversation(): HTMLElement {
  const title = h("span", { class: "as" });
  const messages = h("ol", { role: "log", "aria-label": "Messages" });
  const typing = h(
    "div",
    { class: "typing", role: "status", hidden: true },
    h("span", { class: "sr" }, "Polylogue is typing"),
    h("i"),
    h("i"),
    h("i"),
  );
  const scroller = h("div", { class: "scroller" }, messages, typing);
  const notice = h("p", { class: "notice", role: "status", hidden: true });
  const window24 = h("button", { type: "button", role: "menuitem", onclick: toggleWindow });
  const drawn = new Map<string, { signature: string; element: HTMLElement }>();
  let shownNumber: string | null = null;

  onChange(() => {
    const now = phone();
    document.body.dataset["view"] = state.number === null ? "list" : "chat";
    if (state.number !== shownNumber) {
      shownNumber = state.number;
      drawn.clear();
      messages.replaceChildren();
    }
    const wasAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
    title.textContent = now?.is_typing ? "typing…" : state.number === null ? "" : `Write as ${formatNumber(state.number)}`;
    typing.hidden = !now?.is_typing;
    notice.hidden = state.error === null;
    notice.textContent = state.error ?? "";
    window24.textContent = now?.is_window_open ? "End the 24-hour window" : "Open the 24-hour window";
    const hasGrown = drawMessages(now?.messages ?? []);
    if (hasGrown || (wasAtEnd && now?.is_typing)) scroller.scrollTop = scroller.scrollHeight;
  });

  /** Draws what changed alone, so what plays goes on; true where there is something new. */
  function drawMessages(all: PhoneMessage[]): boolean {
    let hasGrown = false;
    let before = "";
    for (const message of all) {
      const isNewDay = day(message.at) !== before;
      before = day(message.at);
      const signature = JSON.stringify([message, isNewDay]);
      const known = drawn.get(message.id);
      if (known?.signature === signature) continue;
      const element = bubble(message, all);
      if (isNewDay) element.prepend(h("span", { class: "day" }, before));
      if (known) known.element.replaceWith(element);
      else {
        messages.append(element);
        hasGrown = true;
      }
      drawn.set(message.id, { signature, element });
    }
    return hasGrown;
  }

  function toggleWindow(): void {
    window24.closest("details")?.removeAttribute("open");
    void performAction("window", { number: state.number, is_open: !phone()?.is_window_open });
  }

  return h(
    "main",
    { class: "chat" },
    h(
      "header",
      {},
      h(
        "button",
        { type: "button", class: "round quiet back", "aria-label": "Back to the phones", onclick: () => openPhone(null) },
        icon("back", 24),
      ),
      h("span", { class: "face business", "aria-hidden": true }, "P"),
      h("span", { class: "titles" }, h("h2", {}, "Polylogue"), title),
      h(
        "details",
        { class: "actions" },
        h("summary", { "aria-label": "More" }, icon("more", 22)),
        h("div", { class: "menu", role: "menu" }, window24),
      ),
    ),
    scroller,
    notice,
    composer(),
    h("div", { class: "nobody" }, h("p", {}, "Choose a phone, or take a new number.")),
  );
}
