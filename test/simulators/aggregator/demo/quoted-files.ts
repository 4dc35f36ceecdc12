/** A file's text as the product quotes it in a prompt (`worker/library/attachments/quote-file.ts`), and the line break before what follows. */
const QUOTED_FILE =
  /What stands between the two (file-[0-9a-f]{8}) marks is the content of the attached file ("(?:[^"\\]|\\.)*") [\s\S]*?\n<\1>\n([\s\S]*?)\n<\/\1>\n?/g;

/** What a person wrote themselves: a prompt without the files quoted in it, whose words are no requests of theirs. */
export function withoutQuotedFiles(prompt: string): string {
  return prompt.replaceAll(QUOTED_FILE, "").trim();
}

/** The files quoted in a prompt, each by its name and its number of characters, in markdown. */
export function describeQuotedFiles(prompt: string): string[] {
  return Array.from(prompt.matchAll(QUOTED_FILE), ([, , name = '""', text = ""]) => {
    const fileName: unknown = JSON.parse(name);
    return `the file \`${String(fileName).replaceAll("`", "'")}\`, ${text.length} characters of text`;
  });
}
