import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import type { Importing } from "../source.ts";
import { type OwnKind, selectOwnIds } from "./queries.ts";

/** How ids of an export are called here. */
export type IdMapping = {
  /** True where the export is of this very account. */
  isSame: boolean;
  /** Names the account that it is of. */
  accountId: string;
  /** The id that a thing has here: its own where it still stands in the account that it is of, else always the same new one. */
  idOf(kind: OwnKind, id: string): Promise<string>;
  /** True where the thing still stands in the account that it is of. */
  isHere(kind: OwnKind, id: string): Promise<boolean>;
};

/** How ids of an account's export are called in this one: a crafted file reaches no id that is not made of its importer's own. */
export function createIdMapping({ db, user: { userId } }: Importing, accountId: string): IdMapping {
  const isSame = accountId === userId;
  const known = new Map<OwnKind, Promise<Set<string>>>();
  const isHere = async (kind: OwnKind, id: string): Promise<boolean> => {
    if (!isSame) return false;
    const ids = known.get(kind) ?? selectOwnIds(db, userId, kind);
    known.set(kind, ids);
    return (await ids).has(id);
  };
  return {
    isSame,
    accountId,
    isHere,
    idOf: async (kind, id) => ((await isHere(kind, id)) ? id : uuidOfName(JSON.stringify(["import", userId, accountId, kind, id]))),
  };
}
