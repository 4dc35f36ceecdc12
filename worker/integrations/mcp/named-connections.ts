import { connectionCategory } from "#shared/tools/connected-tools.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { selectNames } from "./queries.ts";

type Asked = { userId: string; text: string; defaults: readonly string[] };

/** The categories of the connections that a question names, and of those that its person's new chats begin with. */
export async function namedConnections(db: Database, { userId, text, defaults }: Asked): Promise<string[]> {
  const words = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `;
  return (await selectNames(db, userId)).flatMap(({ id, name }) => {
    const category = connectionCategory(id);
    const named = name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    return defaults.includes(category) || (named !== "" && words.includes(` ${named} `)) ? [category] : [];
  });
}
