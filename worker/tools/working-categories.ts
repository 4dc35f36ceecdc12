import { type CategoryState, isTheirs, type ToolCategory } from "#shared/entities/tool-category.ts";
import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { loadOnce } from "../load-once.ts";
import { TOOL_CATEGORIES } from "./categories.ts";

const registry = loadOnce(() => import("./registry.ts"));

/** The categories with those of their tools that work here; one without any is left out. */
export async function workingCategories(env: Env): Promise<ToolCategory[]> {
  const { TOOLS } = await registry();
  const isWorking = (id: string) => TOOLS.some((tool) => tool.id === id && (tool.isSetUp?.(env) ?? true));
  return TOOL_CATEGORIES.map((category) => ({ ...category, toolIds: category.toolIds.filter(isWorking) })).filter(
    ({ toolIds }) => toolIds.length > 0,
  );
}

/** What one feature knows of a person's categories: those of their own, and how built-in ones stand with them, null where they don't have one. */
type Personal = { added?: ToolCategory[]; states?: Readonly<Record<string, CategoryState | null>> };
type Source = (place: { env: Env; db: Database; userId: string }) => Promise<Personal>;

const codeAgent = loadOnce(() => import("../codegen/connection.ts"));
const google = loadOnce(() => import("../google/connection.ts"));
const drive = loadOnce(() => import("../drive/category.ts"));
const connections = loadOnce(() => import("../mcp/categories.ts"));

/** Each feature whose categories differ from person to person stands here once; guests have none of them. */
const SOURCES: readonly Source[] = [
  async ({ db, userId }) => ({ states: { codegen: await (await codeAgent()).codegenState(db, userId) } }),
  async ({ db, userId }) => ({ states: { gmail: await (await google()).gmailState(db, userId) } }),
  async ({ db, userId }) => ({ states: { "google-drive": await (await drive()).driveState(db, userId) } }),
  async ({ db, userId }) => ({ added: await (await connections()).connectedCategories(db, userId) }),
];

type Reader = Pick<Caller, "userId" | "anonymous"> | null;

/** The categories as a caller has them or could have them: the built-in ones that work here, then those of their connections. */
export async function categoriesOf(env: Env, db: Database, caller: Reader): Promise<ToolCategory[]> {
  const working = await workingCategories(env);
  if (!caller || caller.anonymous) return forGuests(working);
  const found = await Promise.all(SOURCES.map((source) => source({ env, db, userId: caller.userId })));
  const states = new Map(found.flatMap(({ states: known = {} }) => Object.entries(known)));
  const own = working.flatMap((category) => {
    const state = states.get(category.id);
    return state === null ? [] : [{ ...category, state: state ?? category.state }];
  });
  return [...own, ...found.flatMap(({ added = [] }) => added)];
}

/** The categories that a caller has. */
export async function ownCategories(env: Env, db: Database, caller: Reader): Promise<ToolCategory[]> {
  return (await categoriesOf(env, db, caller)).filter(isTheirs);
}

/** What a new account would see, of which guests choose what works for them alone. */
async function forGuests(working: readonly ToolCategory[]): Promise<ToolCategory[]> {
  const { TOOLS, isForAccounts } = await registry();
  const needsAccount = ({ isAlwaysOn, toolIds }: ToolCategory) =>
    !isAlwaysOn && TOOLS.some((tool) => toolIds.includes(tool.id) && isForAccounts(tool));
  return working
    .filter(({ id }) => id !== "codegen")
    .map((category) => (needsAccount(category) ? { ...category, state: "needs_account" as const } : category));
}
