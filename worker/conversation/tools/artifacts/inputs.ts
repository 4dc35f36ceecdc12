/** What the tools of artifacts take. */
import * as z from "zod/mini";
import { ARTIFACT_BYTES, ARTIFACT_TITLE_LENGTH, SEARCH_QUERY_LENGTH } from "#shared/limits.ts";
import { asName } from "#shared/contracts/as-name.ts";

const PAGE = 20;
const PAGE_MAX = 50;
/** Replacements in one call. */
const EDITS_MAX = 50;

const Id = z.string().check(z.maxLength(64), z.describe("The artifact's id, as listArtifacts and searchArtifacts tell it."));
const Title = z.string().check(asName, z.maxLength(ARTIFACT_TITLE_LENGTH));
const Limit = z.optional(z.int().check(z.minimum(1), z.maximum(PAGE_MAX), z.describe(`How many, ${PAGE} unless given.`)));

export const ListInput = z.object({
  limit: Limit,
  cursor: z.optional(z.string().check(z.maxLength(600), z.describe("`next` of the page before, for further ones."))),
});
export const ReadInput = z.object({
  artifact_id: Id,
  from_line: z.optional(
    z.int().check(z.minimum(1), z.describe("The first line to read, counted from 1, where it was too long for one reading.")),
  ),
});
export const CreateInput = z.object({
  title: Title.check(z.minLength(1), z.describe("A short title that says what it is.")),
  content: z.string().check(z.maxLength(ARTIFACT_BYTES), z.describe("The whole document as markdown.")),
});
export const CopyInput = z.object({
  artifact_id: Id,
  title: z.optional(Title.check(z.describe("The copy's title; the original's with '(copy)' unless given."))),
});
export const EditInput = z.object({
  artifact_id: Id,
  edits: z
    .array(
      z.object({
        old_text: z
          .string()
          .check(z.minLength(1), z.describe("Text that stands in the artifact exactly once, copied from it character by character.")),
        new_text: z.string().check(z.describe("What stands there instead; empty to take it out.")),
      }),
    )
    .check(z.minLength(1), z.maxLength(EDITS_MAX), z.describe("Replacements, made one after the other; all of them or none.")),
});
export const SearchInput = z.object({
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(SEARCH_QUERY_LENGTH), z.describe("Words that its title or text has.")),
  limit: Limit,
});
