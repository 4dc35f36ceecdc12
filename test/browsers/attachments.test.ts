import { writeFile } from "node:fs/promises";
import { answered, button, COMPOSER, enter, LAST_TURN, TURNS } from "./fixtures.ts";
import { journey } from "./test.ts";

/** A picture of 4 × 3 pixels that a browser can draw. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR4nGN4VmEDRww4OQB+8hM5Btu3cgAAAABJRU5ErkJggg==";

journey("files are attached, kept across a reload, sent and shown", async ({ tab }, info) => {
  const [picture, notes] = [info.outputPath("sunset.png"), info.outputPath("notes.md")];
  await writeFile(picture, PICTURE, "base64");
  await writeFile(notes, "# Plan\n\nBuy marmalade.");
  await enter(tab);
  await tab.goto("/");
  // The page knows whose it is.
  await tab.see({ role: "heading", name: /, someone/ });
  await tab.upload("input[type=file]", picture, notes);
  const chips = { role: "listitem", within: { role: "list", name: "Attached files", nth: 0 } };
  const both = async () => {
    for (const name of ["sunset.png", "notes.md"]) await tab.see({ ...chips, text: new RegExp(String.raw`^${name}.*\d B`) });
  };
  await both();
  await tab.reload();
  await both();
  await tab.fill(COMPOSER, "say Both are here");
  await tab.click(button("Send"));
  await tab.until("a chat's page", () => location.pathname.startsWith("/c/"));
  await tab.see({ ...LAST_TURN, text: "Both are here" });
  await answered(tab);
  const shown = { role: "img", name: "sunset.png", within: { ...TURNS, nth: 0 } };
  await tab.see(shown);
  await tab.until("the picture to be drawn", () => {
    const image = document.querySelector<HTMLImageElement>("[role=log] img[alt='sunset.png']");
    return image?.complete === true && image.naturalWidth === 4;
  });
  await tab.see({ role: "link", name: /notes\.md/, within: { ...TURNS, nth: 0 } });
});
