import type { PhoneMessage } from "../../conversations.ts";
import { h, icon } from "./dom.ts";

/** A dialog at the bottom of the phone; it closes by its button, Escape and a press outside. */
function sheet(title: string, build: (close: () => void) => (Node | null)[]): void {
  const dialog = h("dialog", { "aria-label": title });
  const close = () => dialog.close();
  dialog.append(
    h(
      "header",
      {},
      h("h2", {}, title),
      h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: close }, icon("close", 20)),
    ),
    ...build(close).filter((node) => node !== null),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  document.body.append(dialog);
  dialog.showModal();
}

/** Chooses a row of a list that the business sent. */
export function openList(list: NonNullable<PhoneMessage["list"]>, onChoose: (id: string) => void): void {
  sheet(list.button, (close) => [
    h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          const chosen = event.currentTarget instanceof HTMLFormElement ? new FormData(event.currentTarget).get("row") : null;
          if (typeof chosen !== "string") return;
          close();
          onChoose(chosen);
        },
      },
      h(
        "div",
        { class: "rows", role: "radiogroup", "aria-label": list.button },
        ...list.rows.map(({ id, title, description }) =>
          h(
            "label",
            {},
            h("span", {}, h("b", {}, title), description === "" ? null : h("small", {}, description)),
            h("input", { type: "radio", name: "row", value: id }),
          ),
        ),
      ),
      h("button", { class: "main" }, "Send"),
    ),
  ]);
}

/** Asks for a text. */
export function askText(
  title: string,
  { label, value = "", done, placeholder = "" }: { label: string; value?: string; done: string; placeholder?: string },
  onDone: (text: string) => void,
): void {
  sheet(title, (close) => {
    const field = h("input", { name: "text", value, placeholder, autocomplete: "off", "aria-label": label });
    return [
      h(
        "form",
        {
          onsubmit: (event) => {
            event.preventDefault();
            if (field.value.trim() === "") return;
            close();
            onDone(field.value);
          },
        },
        field,
        h("button", { class: "main" }, done),
      ),
    ];
  });
}

/** Offers what can be done as rows. */
export function choose(title: string, choices: { label: string; about: string; onChoose: () => void }[]): void {
  sheet(title, (close) => [
    h(
      "div",
      { class: "rows" },
      ...choices.map(({ label, about, onChoose }) =>
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              close();
              onChoose();
            },
          },
          h("b", {}, label),
          h("small", {}, about),
        ),
      ),
    ),
  ]);
}

/** Changes a message's words. */
export function editMessage(text: string, onDone: (text: string) => void): void {
  askText("Edit message", { label: "Message", value: text, done: "Save" }, onDone);
}

/** Chooses how to react; an empty one takes the reaction back. */
export function chooseReaction(onChoose: (emoji: string) => void): void {
  sheet("React", (close) => [
    h(
      "div",
      { class: "emojis" },
      ...["👍", "❤️", "😂", "😮", "🙏", ""].map((emoji) =>
        h(
          "button",
          { type: "button", "aria-label": emoji === "" ? "None" : emoji, onclick: () => (close(), onChoose(emoji)) },
          emoji === "" ? "None" : emoji,
        ),
      ),
    ),
  ]);
}
