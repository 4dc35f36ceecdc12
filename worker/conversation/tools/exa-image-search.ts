import * as z from "zod/mini";
import { findImages, type FoundImage } from "#worker/platform/clients/exa.ts";
import { publicUrl } from "#worker/platform/clients/public-address.ts";
import { isSimulatedImage } from "#worker/platform/clients/remote-image.ts";
import { SearchError } from "#worker/platform/clients/search-request.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { mediaUrl } from "#worker/library/media/media.ts";
import type { Tool } from "./tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";

/** One search with up to ten results, in US dollars (Exa's price list). */
const SEARCH_DOLLARS = 0.005;
const PAGES = 10;
const IMAGES_DEFAULT = 6;
const IMAGES_MAX = 12;

const Input = z.object({
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(500), z.describe("What the images should show.")),
  count: z.optional(z.int().check(z.minimum(1), z.maximum(IMAGES_MAX), z.describe(`How many images; ${IMAGES_DEFAULT} unless given.`))),
});

/** Finds images and shows them to the reader, through the product alone. */
export const exaImageSearch: Tool<typeof Input> = {
  id: "exaImageSearch",
  description:
    "Finds images on the web and shows them to the user in a grid. Use it when seeing helps or the user asks for pictures. You don't see the images yourself, only the pages they stand on.",
  input: Input,
  dollars: SEARCH_DOLLARS,
  actsOutside: false,
  readsOutside: true,
  isSetUp: (env) => configOf(env).search.exa.key !== undefined,
  async run({ query, count = IMAGES_DEFAULT }, { env, signal, cite, charge }) {
    try {
      const found = await findImages(env, { query, pages: PAGES }, signal);
      charge(found.dollars ?? SEARCH_DOLLARS);
      const images = usable(env, found.images).slice(0, count);
      if (images.length === 0) return { ok: true, output: "No images were found. Try other words." };
      const listed = images.map(({ pageUrl, title }) => `[${cite({ url: pageUrl, title })}] ${title ?? "Untitled"} (${pageUrl})`);
      return {
        ok: true,
        output: `The user sees ${images.length} images now; don't repeat them as markdown. These are the pages they stand on; cite one by its number in square brackets where you speak of it.\n\n${quoteUntrusted([...new Set(listed)].join("\n"))}`,
        sources: [...new Map(images.map(({ pageUrl, title }) => [pageUrl, { url: pageUrl, title, error: null }])).values()],
        images: await Promise.all(
          images.map(async ({ url, pageUrl, title }) => ({ url: await mediaUrl(env, url), page_url: pageUrl, title })),
        ),
      };
    } catch (error) {
      if (error instanceof SearchError) return { ok: false, error: error.message };
      throw error;
    }
  },
};

/** What pages link beside their pictures. */
const NO_PICTURE = /\.svg(?:$|[?#])|favicon|(?:^|[/_.-])(?:logo|icon|sprite|pixel|avatar|badge|spacer|blank)s?(?=[/_.-])/i;

/** In characters; longer addresses are of no picture that anyone meant to be shown. */
const ADDRESS_LENGTH = 2_000;

/** Pictures alone, each once, one of every page before a page's second. */
function usable(env: Env, images: FoundImage[]): FoundImage[] {
  const seen = new Set<string>();
  const ranked = images.flatMap((image) => {
    if (image.url.length > ADDRESS_LENGTH) return [];
    const isSafe = publicUrl(image.url)?.protocol === "https:" || isSimulatedImage(env, image.url);
    if (!isSafe || NO_PICTURE.test(new URL(image.url).pathname) || seen.has(image.url)) return [];
    seen.add(image.url);
    return [image];
  });
  const perPage = new Map<string, number>();
  const placed = ranked.map((image) => {
    const place = perPage.get(image.pageUrl) ?? 0;
    perPage.set(image.pageUrl, place + 1);
    return { image, place };
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ image }) => image);
}
