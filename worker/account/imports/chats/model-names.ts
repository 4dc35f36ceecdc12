import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { loadModelList } from "#worker/people/models/model-list.ts";

/** The id of a model here by what it is called elsewhere; one that is not here keeps its name. */
export type ModelNames = (maker: string, slug: string) => string;

/** Reads which models there are; without a list, all keep their names. */
export async function readModelNames(env: Env): Promise<ModelNames> {
  const ids = await readIds(env);
  return (maker, slug) => ids.get(plainSlug(`${maker}/${slug}`)) ?? slug;
}

async function readIds(env: Env): Promise<Map<string, string>> {
  try {
    const { list } = await loadModelList(env);
    return new Map(list.rows.map(({ id }) => [plainSlug(id), id]));
  } catch (cause) {
    log.warn("an import names models as they were called", { cause });
    return new Map();
  }
}

/** A model's name without the day that it is of, its version with a dot: `claude-sonnet-4-5-20250929` is `claude-sonnet-4.5`. */
function plainSlug(slug: string): string {
  return slug
    .toLowerCase()
    .replace(/-\d{8}$/, "")
    .replace(/-\d{4}-\d{2}-\d{2}$/, "")
    .replace(/(\d)-(\d{1,2})(?=$|-)/, "$1.$2");
}
