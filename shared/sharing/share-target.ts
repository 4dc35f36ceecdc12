/** Where the system sends what is shared with the installed application (its manifest's `share_target`). */
export const SHARE_TARGET = "/share";

/** As much text as an address takes everywhere, in characters once it is encoded. */
const ADDRESS_LENGTH = 6_000;

/** What was shared, as the system names its parts. */
export type SharedParts = { title: string; text: string; url: string };

/** The shared parts as one text, each said once: some systems repeat the address in the text, or the text in the title. */
export function sharedText({ title, text, url }: SharedParts): string {
  const parts = [title, text, url].map((part) => part.trim());
  const isRepeatedElsewhere = (part: string, index: number) =>
    parts.some((other, at) => at !== index && other.includes(part) && (other !== part || at < index));
  return parts.filter((part, index) => part !== "" && !isRepeatedElsewhere(part, index)).join("\n\n");
}

/** The new chat's page with a text in its composer, as much of it as an address takes. */
export function pathWithText(text: string): string {
  if (text === "") return "/new";
  let cut = text.toWellFormed();
  while (encodeURIComponent(cut).length > ADDRESS_LENGTH)
    cut = Array.from(cut)
      .slice(0, -Math.ceil(cut.length / 20))
      .join("");
  return `/new?prompt=${encodeURIComponent(cut)}`;
}

/** The parts that a form's fields say. */
export function sharedParts(fields: { get: (name: string) => unknown }): SharedParts {
  const field = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  return { title: field("title"), text: field("text"), url: field("url") };
}
