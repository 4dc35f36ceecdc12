import type { PhoneMessage } from "../../conversations.ts";
import { mediaUrl } from "./api.ts";
import { h, icon } from "./dom.ts";
import { chooseReaction, editMessage, openList } from "./sheets.ts";
import { change, performAction, send, state } from "./state.ts";
import { clock, inLine, textElements } from "./text.ts";
import { ticks } from "./ticks.ts";
import { voice } from "./voice.ts";

/** One message of the conversation. */
export function bubble(message: PhoneMessage, all: readonly PhoneMessage[]): HTMLElement {
  const isOwn = message.from === "phone";
  const answered = message.reply_to === null ? undefined : all.find(({ id }) => id === message.reply_to);
  return h(
    "li",
    { class: isOwn ? "own" : "theirs", "data-id": message.id },
    h(
      "div",
      { class: `bubble${message.type === "sticker" ? " sticker" : ""}` },
      answered
        ? h(
            "blockquote",
            { class: "answered" },
            h("b", {}, answered.from === "phone" ? "You" : "Polylogue"),
            h("span", {}, inLine(answered)),
          )
        : null,
      ...(message.is_deleted ? [h("p", { class: "gone" }, "This message was deleted")] : content(message)),
      h(
        "span",
        { class: "meta" },
        message.is_edited && !message.is_deleted ? "Edited " : null,
        h("time", { datetime: message.at }, clock(message.at)),
        isOwn ? ticks(message.status) : null,
      ),
      message.status === "failed" ? h("p", { class: "failed", role: "alert" }, message.error ?? "Not delivered") : null,
      message.reaction === null ? null : h("span", { class: "reaction", "aria-label": `Reaction ${message.reaction}` }, message.reaction),
    ),
    message.is_deleted ? null : actions(message),
    ...pressable(message),
  );
}

function content(message: PhoneMessage): (Node | null)[] {
  const { media, type, text } = message;
  const paragraphs = text === "" ? [] : textElements(text);
  if (media === null) return type === "location" ? [h("div", { class: "document" }, icon("place"), h("span", {}, text))] : paragraphs;
  const url = mediaUrl(media.id);
  if (type === "image" || type === "sticker")
    return [h("a", { href: url, target: "_blank" }, h("img", { src: url, alt: text || "Picture" })), ...paragraphs];
  if (type === "video") return [h("video", { src: url, controls: true }), ...paragraphs];
  if (type === "audio") return [voice(media.id)];
  const name = media.filename ?? "File";
  return [h("a", { class: "document", href: url, download: name }, icon("file", 26), h("span", {}, name)), ...paragraphs];
}

/** What can be pressed below a message: a code to copy, buttons, a list. */
function pressable({ id, buttons, list, template, pressed }: PhoneMessage): HTMLElement[] {
  const press = (choice: string) => void send({ type: "press", message_id: id, id: choice });
  const [code] = template?.parameters ?? [];
  const isCode = template !== null && code !== undefined && /^\d{4,15}$/.test(code);
  return [
    ...(isCode ? [button("Copy code", () => void navigator.clipboard?.writeText(code), false, icon("copy", 18))] : []),
    ...buttons.map((one) => button(one.title, () => press(one.id), pressed.includes(one.id), icon("reply", 18))),
    ...(list ? [button(list.button, () => openList(list, press), false, icon("list", 18))] : []),
  ];
}

function button(title: string, onclick: () => void, isPressed: boolean, sign: SVGSVGElement): HTMLElement {
  return h("button", { type: "button", class: "press", "aria-pressed": isPressed ? "true" : null, onclick }, sign, title);
}

function actions(message: PhoneMessage): HTMLElement {
  const about = inLine(message).slice(0, 40);
  const item = (title: string, onclick: () => void) =>
    h(
      "button",
      {
        type: "button",
        onclick: (event) => {
          if (event.currentTarget instanceof Element) event.currentTarget.closest("details")?.removeAttribute("open");
          onclick();
        },
      },
      title,
    );
  const isOwnText = message.from === "phone" && message.type === "text";
  return h(
    "details",
    { class: "actions" },
    h("summary", { "aria-label": `More about: ${about}` }, icon("more", 18)),
    h(
      "div",
      { class: "menu" },
      item("Reply", () => change({ replyTo: message })),
      item("React", () =>
        chooseReaction((emoji) => void performAction("send", { number: state.number, type: "reaction", message_id: message.id, emoji })),
      ),
      isOwnText
        ? item("Edit", () =>
            editMessage(
              message.text,
              (body) => void performAction("send", { number: state.number, type: "edit", message_id: message.id, body }),
            ),
          )
        : null,
      message.from === "phone"
        ? item("Delete for everyone", () => void performAction("send", { number: state.number, type: "revoke", message_id: message.id }))
        : null,
    ),
  );
}
