const NAME_LENGTH = 60;

/** A name for a text that is kept as a prompt: how it begins. */
export function promptNameOf(text: string): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  const characters = Array.from(words);
  return characters.length <= NAME_LENGTH ? words : `${characters.slice(0, NAME_LENGTH).join("").trim()}…`;
}
