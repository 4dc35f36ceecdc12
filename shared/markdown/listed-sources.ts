import { citedNumbers } from "./citation-marks.ts";
import { readKnowledgeAddress } from "../knowledge-citations.ts";
import { hostOf, safeUrl } from "./safe-url.ts";

/** A source as it is listed below an answer: the number that the text refers to it by, and where it leads. */
export type ListedSource = { number: number; href: string; host: string; title: string | null };

/** Sources that lead somewhere on the web; of what an answer's tools found, only what its text refers to, where it refers to any. */
export function listedSources(text: string, citations: readonly { url: string; title: string | null }[]): ListedSource[] {
  const cited = citedNumbers(text, citations.length);
  return citations.flatMap(({ url, title }, index) => {
    const [href, host, number] = [safeUrl(url), hostOf(url), index + 1];
    // A passage of the reader's own documents is listed by its name, and only where the text refers to it.
    if (readKnowledgeAddress(url)) return cited.includes(number) ? [{ number, href: url, host: title ?? "Knowledge", title }] : [];
    const isListed = href !== undefined && host !== undefined && (cited.length === 0 || cited.includes(number));
    return isListed ? [{ number, href, host: host.replace(/^www\./, ""), title }] : [];
  });
}
