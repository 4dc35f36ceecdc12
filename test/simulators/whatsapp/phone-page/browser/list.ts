import { addPhone, type Phone } from "./api.ts";
import { h, icon } from "./dom.ts";
import { askText } from "./sheets.ts";
import { change, openPhone, onChange, refresh, state } from "./state.ts";
import { clock, inLine, formatNumber } from "./text.ts";
import { ticks } from "./ticks.ts";

/** The phones that there are: each has its own number, and one writes as any of them. */
export function list(): HTMLElement {
  const items = h("ul", { "aria-label": "Phones" });
  let drawn = "";
  onChange(() => {
    const phones = state.phones.toSorted((a, b) => lastAt(b).localeCompare(lastAt(a)));
    const signature = JSON.stringify([
      state.number,
      phones.map(({ number, name, is_typing: isTyping, messages }) => [number, name, isTyping, messages.at(-1), unread(messages)]),
    ]);
    if (signature === drawn) return;
    drawn = signature;
    items.replaceChildren(...phones.map(item));
    if (phones.length === 0) items.append(h("li", { class: "none" }, "No phone has been used yet. Take a number and write as its owner."));
  });
  return h(
    "aside",
    { class: "list" },
    h(
      "header",
      {},
      h("h1", {}, "Phones"),
      h(
        "button",
        { type: "button", class: "round quiet", "aria-label": "New number", title: "New number", onclick: askNumber },
        icon("plus", 24),
      ),
    ),
    h("p", { class: "about" }, "Messages to and from Polylogue on this computer. They go nowhere else."),
    items,
  );
}

function item({ number, name, messages, is_typing: isTyping }: Phone): HTMLElement {
  const last = messages.at(-1);
  const count = unread(messages);
  return h(
    "li",
    {},
    h(
      "a",
      {
        href: `/dev/phone?number=${encodeURIComponent(number)}`,
        "aria-current": number === state.number ? "true" : null,
        onclick: (event) => {
          event.preventDefault();
          openPhone(number);
        },
      },
      h("span", { class: `face f${Number(number.slice(-1)) % 5}`, "aria-hidden": true }, number.slice(-2)),
      h("span", { class: "who" }, formatNumber(number), name.startsWith("Phone ") ? null : h("small", {}, ` ${name}`)),
      h("time", {}, last ? clock(last.at) : ""),
      h(
        "span",
        { class: "last" },
        isTyping ? h("em", {}, "typing…") : last ? inLine(last) : "No messages yet",
        last?.from === "phone" && !isTyping ? ticks(last.status) : null,
      ),
      count > 0 && number !== state.number ? h("span", { class: "count", "aria-label": `${count} unread` }, String(count)) : null,
    ),
  );
}

function askNumber(): void {
  const random = 2_000_000 + Math.floor(Math.random() * 7_000_000);
  askText("New number", { label: "Number", value: `+1212${random}`, done: "Use this number" }, (text) => {
    const digits = text.replaceAll(/\D/g, "");
    if (digits.length < 7 || digits.length > 15) return change({ error: "A number has 7 to 15 digits, with its country's code." });
    void addPhone(`+${digits}`)
      .then(refresh)
      .then(() => openPhone(`+${digits}`));
    return undefined;
  });
}

function unread(messages: Phone["messages"]): number {
  return messages.filter(({ from, status }) => from === "business" && (status === "sent" || status === "delivered")).length;
}

function lastAt({ messages }: Phone): string {
  return messages.at(-1)?.at ?? "";
}
