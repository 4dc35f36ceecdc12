import { mediaUrl } from "./api.ts";
import { h, icon } from "./dom.ts";

const BARS = 34;

/** A voice note: a button that plays it, its shape, and how long it is. */
export function voice(id: string): HTMLElement {
  const audio = new Audio(mediaUrl(id));
  audio.preload = "metadata";
  const button = h("button", { type: "button", class: "round", "aria-label": "Play voice note", onclick: toggle }, icon("play", 20));
  const bars = h("span", { class: "bars", "aria-hidden": true }, ...shapeOf(id));
  const time = h("span", { class: "length" }, "0:00");
  const say = (seconds: number) => (time.textContent = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`);
  const draw = () => {
    button.replaceChildren(icon(audio.paused ? "play" : "pause", 20));
    button.setAttribute("aria-label", audio.paused ? "Play voice note" : "Pause voice note");
    const part = audio.duration > 0 ? audio.currentTime / audio.duration : 0;
    [...bars.children].forEach((bar, at) => bar.classList.toggle("heard", at / BARS < part));
    say(audio.paused && audio.currentTime === 0 ? Math.ceil(audio.duration || 0) : audio.currentTime);
  };
  for (const event of ["loadedmetadata", "timeupdate", "play", "pause", "ended"]) audio.addEventListener(event, draw);
  audio.addEventListener("error", () => (time.textContent = "cannot be played"));
  function toggle(): void {
    if (audio.paused) void audio.play().catch(() => null);
    else audio.pause();
  }
  return h("div", { class: "voice" }, button, bars, time);
}

/** Bars of the heights that an id comes to: each note looks like itself. */
function shapeOf(id: string): HTMLElement[] {
  let seed = Number(id.slice(-4)) || 7;
  return Array.from({ length: BARS }, () => {
    seed = (seed * 137 + 71) % 9973;
    return h("i", { class: `h${1 + (seed % 8)}` });
  });
}
