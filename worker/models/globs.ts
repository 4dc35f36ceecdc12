/** A test for ids by a comma-separated list of globs such as `openai/o1-pro,*:nitro`; `*` stands for anything, case does not matter. */
export function globMatcher(list: string | undefined): (id: string) => boolean {
  const patterns = (list ?? "")
    .split(",")
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "")
    .map((glob) => new RegExp(`^${glob.split("*").map(literal).join(".*")}$`, "i"));
  return (id) => patterns.some((pattern) => pattern.test(id));
}

function literal(text: string): string {
  return text.replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`);
}
