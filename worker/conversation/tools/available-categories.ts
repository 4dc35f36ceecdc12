import { type CategoryState, isAvailable, type ToolCategory } from "#shared/entities/tool-category.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { TOOL_CATEGORIES } from "#worker/people/tool-settings/categories.ts";
import { isForAccounts, type Tool } from "./tool.ts";

/** The categories with those of their tools that work here; one without any is left out. */
export function availableCategories(tools: readonly Tool[], env: Env): ToolCategory[] {
  const isWorking = (id: string) => tools.some((tool) => tool.id === id && (tool.isSetUp?.(env) ?? true));
  return TOOL_CATEGORIES.map((category) => ({ ...category, toolIds: category.toolIds.filter(isWorking) })).filter(
    ({ toolIds }) => toolIds.length > 0,
  );
}

/** What one feature knows of a person's categories: those of their own, and how built-in ones stand with them, null where they don't have one. */
type PersonalCategories = { added?: ToolCategory[]; states?: Readonly<Record<string, CategoryState | null>> };
export type CategorySource = (db: Database, userId: string) => Promise<PersonalCategories>;

/** Where categories are read: the tools of this deployment, and each feature whose categories differ from person to person. Guests have none of those. */
export type CategoryPlace = {
  env: Env;
  db: Database;
  features: { tools(): Promise<readonly Tool[]>; categorySources: readonly CategorySource[] };
};

type Reader = Pick<Caller, "userId" | "anonymous"> | null;

/** The categories as a caller has them or could have them: the built-in ones that work here, then those of their connections. */
export async function categoriesOf({ env, db, features }: CategoryPlace, caller: Reader): Promise<ToolCategory[]> {
  const tools = await features.tools();
  const working = availableCategories(tools, env);
  if (!caller || caller.anonymous) return forGuests(tools, working);
  const found = await Promise.all(features.categorySources.map((source) => source(db, caller.userId)));
  const states = new Map(found.flatMap(({ states: known = {} }) => Object.entries(known)));
  const own = working.flatMap((category) => {
    const state = states.get(category.id);
    return state === null ? [] : [{ ...category, state: state ?? category.state }];
  });
  return [...own, ...found.flatMap(({ added = [] }) => added)];
}

/** The categories that a caller has. */
export async function ownCategories(place: CategoryPlace, caller: Reader): Promise<ToolCategory[]> {
  return (await categoriesOf(place, caller)).filter(isAvailable);
}

/** What a new account would see, of which guests choose what works for them alone. */
function forGuests(tools: readonly Tool[], working: readonly ToolCategory[]): ToolCategory[] {
  const needsAccount = ({ isAlwaysOn, toolIds }: ToolCategory) =>
    !isAlwaysOn && tools.some((tool) => toolIds.includes(tool.id) && isForAccounts(tool));
  return working
    .filter(({ id }) => id !== "codegen")
    .map((category) => (needsAccount(category) ? { ...category, state: "needs_account" as const } : category));
}
