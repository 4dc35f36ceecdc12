import * as z from "zod";

/** What pages are asked for: at the top of `/contents`, under `contents` in `/search`. */
const contents = {
  text: z
    .union([
      z.boolean(),
      z.strictObject({
        maxCharacters: z.int().min(1).optional(),
        includeHtmlTags: z.boolean().optional(),
        verbosity: z.string().optional(),
      }),
    ])
    .optional(),
  highlights: z.union([z.boolean(), z.strictObject({ query: z.string().optional(), maxCharacters: z.int().optional() })]).optional(),
  summary: z.union([z.boolean(), z.strictObject({ query: z.string().optional(), schema: z.unknown().optional() })]).optional(),
  maxAgeHours: z.number().optional(),
  livecrawl: z.enum(["never", "fallback", "always", "auto", "preferred"]).optional(),
  livecrawlTimeout: z.number().optional(),
  subpages: z.int().optional(),
  subpageTarget: z.union([z.string(), z.array(z.string())]).optional(),
  extras: z.strictObject({ links: z.int().min(0).optional(), imageLinks: z.int().min(0).optional() }).optional(),
};

export const Contents = z.strictObject(contents);
export type Contents = z.infer<typeof Contents>;

export const ContentsRequest = z.strictObject({ urls: z.array(z.string()).min(1).max(100), ...contents });

export const SearchRequest = z.strictObject({
  query: z.string().min(1),
  type: z.enum(["auto", "neural", "fast", "instant", "deep-lite", "deep", "deep-reasoning", "keyword", "hybrid"]).optional(),
  numResults: z.int().min(1).max(100).optional(),
  category: z.enum(["company", "people", "news", "publication", "personal site", "financial report"]).optional(),
  includeDomains: z.array(z.string()).optional(),
  excludeDomains: z.array(z.string()).optional(),
  startPublishedDate: z.iso.datetime({ offset: true }).optional(),
  endPublishedDate: z.iso.datetime({ offset: true }).optional(),
  includeText: z.array(z.string()).max(1).optional(),
  excludeText: z.array(z.string()).max(1).optional(),
  userLocation: z.string().optional(),
  moderation: z.boolean().optional(),
  contents: Contents.optional(),
});
