import { fileFields, toBase64 } from "./api.ts";
import { h, icon } from "./dom.ts";
import { landscape, minutes, spoken } from "./samples.ts";
import { askText, choose } from "./sheets.ts";
import { change, onChange, send, state } from "./state.ts";
import { inLine } from "./text.ts";

/** Where one writes: text, a voice note, or a file. */
export function composer(): HTMLElement {
  const field = h("textarea", { rows: 1, placeholder: "Message", "aria-label": "Message", enterkeyhint: "send" });
  const main = h("button", { type: "submit", class: "round main" });
  const answered = h("div", { class: "answering" });
  const fit = () => {
    const isEmpty = field.value.trim() === "";
    if (main.dataset["empty"] !== String(isEmpty)) {
      main.dataset["empty"] = String(isEmpty);
      main.setAttribute("aria-label", isEmpty ? "Voice note" : "Send");
      main.replaceChildren(icon(isEmpty ? "mic" : "send", 22));
    }
    field.rows = Math.min(6, field.value.split("\n").length);
  };
  const submit = () => {
    const body = field.value.trim();
    if (body === "") return offerVoice();
    field.value = "";
    fit();
    return void send({ type: "text", body });
  };
  field.addEventListener("input", fit);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (field.value.trim() !== "") submit();
  });
  onChange(() => {
    const { replyTo } = state;
    answered.hidden = replyTo === null;
    if (replyTo === null || answered.dataset["id"] === replyTo.id) return;
    answered.dataset["id"] = replyTo.id;
    answered.replaceChildren(
      h("span", {}, h("b", {}, replyTo.from === "phone" ? "You" : "Polylogue"), inLine(replyTo)),
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": "Do not reply to it", onclick: () => change({ replyTo: null }) },
        icon("close", 18),
      ),
    );
    field.focus();
  });
  fit();
  return h(
    "form",
    {
      class: "composer",
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    answered,
    h("button", { type: "button", class: "round quiet", "aria-label": "Attach", onclick: offerFiles }, icon("plus", 24)),
    field,
    main,
  );
}

function offerVoice(): void {
  choose("Voice note", [
    {
      label: "Say something",
      about: "A recording that the transcription hears these words in",
      onChoose: () =>
        askText(
          "Voice note",
          { label: "What it says", value: "What did we decide about the launch?", done: "Send voice note" },
          (words) => {
            void send({ type: "audio", mime_type: "audio/wav", base64: toBase64(spoken(words)), is_voice: true });
          },
        ),
    },
    { label: "Choose a recording", about: "A file of this computer", onChoose: () => pick("audio/*", (file) => sendFile("audio", file)) },
  ]);
}

function offerFiles(): void {
  choose("Attach", [
    { label: "Sample picture", about: "Hills below a low sun", onChoose: () => void landscape().then((file) => sendFile("image", file)) },
    { label: "Picture", about: "A file of this computer", onChoose: () => pick("image/*", (file) => sendFile("image", file)) },
    { label: "Sample document", about: "The minutes of a meeting", onChoose: () => void sendFile("document", minutes()) },
    { label: "Document", about: "A file of this computer", onChoose: () => pick("*/*", (file) => sendFile("document", file)) },
    {
      label: "Location",
      about: "The old town of Bern",
      onChoose: () => void send({ type: "location", latitude: 46.9481, longitude: 7.4474, place: "Bern" }),
    },
  ]);
}

/** What stands in the composer goes along as the caption. */
async function sendFile(type: "image" | "document" | "audio", file: File): Promise<void> {
  const field = document.querySelector<HTMLTextAreaElement>(".composer textarea");
  const caption = type === "audio" ? "" : (field?.value.trim() ?? "");
  if (field && caption !== "") {
    field.value = "";
    field.dispatchEvent(new Event("input"));
  }
  await send({ type, ...(await fileFields(file)), ...(caption !== "" && { caption }) });
}

function pick(accept: string, onPick: (file: File) => Promise<void>): void {
  const input = h("input", { type: "file", accept });
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) void onPick(file);
  });
  input.click();
}
