/** What the index of a person's Drive is asked: its object's methods as `stub.ts` offers them, and what they take and answer. */

/** A file to be kept: `plan` is why nothing of it is read, or null where it will be. */
export type ListedFile = {
  id: string;
  name: string;
  mimeType: string;
  /** Names its content and name as they are: where it is the same, nothing is read again. */
  version: string;
  link: string | null;
  resourceKey: string | null;
  skip: string | null;
};

/** A shortcut by its own id, and the file that it leads to. */
export type ListedShortcut = { id: string; target: { id: string; name: string; mimeType: string; resourceKey: string | null } };

/** Where a listing goes on: through all files, or through what changed; `cursor` is null at the beginning. */
export type ListingStep = { kind: "files" | "changes"; cursor: string | null; changesFrom: string | null };

/** A page of a listing: `from` is the cursor that it was asked by, `next` null for the last one, `changesFrom` where the next changes begin. */
export type ListedPage = {
  from: string | null;
  next: string | null;
  changesFrom: string | null;
  files: ListedFile[];
  shortcuts: ListedShortcut[];
  deletedIds: string[];
};

/** A file that a reader took: to be read, or with `isDeleted` to be forgotten. */
export type ClaimedFile = ListedFile & {
  isDeleted: boolean;
  /** The version whose passages are in an index; null for none. */
  indexedVersion: string | null;
  /** True where only a shortcut names it: its details must be fetched. */
  isTarget: boolean;
  /** Earlier attempts that never ended. */
  tries: number;
  /** How often Drive failed to give it. */
  trouble: number;
};

/** What a reader is to do now: `waitMs` is how long Drive wants to be left alone first; `claim` is null where another one reads in its place. */
export type Claim = { files: ClaimedFile[]; waitMs: number; claim: string | null };

/** Who reads: the lane, and the claim on its files. */
export type Reader = { lane: number; claim: string };

/** How reading a file ended; `later` leaves it for another time, as does `trouble` of Drive's with it, which is counted. `file` is what is known of it since. */
export type Settled = { id: string; version: string } & (
  | { as: "indexed" | "forgotten" | "later" | "trouble" }
  | { as: "skipped" | "failed"; reason: string }
) & { file?: Pick<ListedFile, "name" | "mimeType" | "link"> };

export type DriveState = {
  run: string;
  phase: "listing" | "reading" | "done" | "failed";
  /** True where its person asked for this run, and is mailed when it is over. */
  isAsked: boolean;
  total: number;
  indexed: number;
  skipped: number;
  failed: number;
  /** Of those that were not read, some, with why. */
  errors: { fileName: string; error: string }[];
  message: string | null;
  startedAt: number;
  finishedAt: number | null;
};

/** A run in its phase, and the lanes in which readers are to begin. */
export type DriveRun = { userId: string; run: string; phase: DriveState["phase"]; lanes: { lane: number; token: string }[] };

/** The index of a person's Drive: which files there are and how far each is. What they say lies in indexes of passages. */
export interface DriveIndexRpc extends Rpc.DurableObjectBranded {
  /** Begins a run, unless one goes on; answers it, and whether it is new. */
  begin(owner: { userId: string; isAsked: boolean }): Promise<{ run: string; isNew: boolean }>;
  state(): Promise<DriveState | null>;
  /** Where the listing goes on; null where that run lists nothing (any more). */
  listing(run: string): Promise<ListingStep | null>;
  /** Begins the listing anew, through all files: its tokens don't hold any more. */
  restart(run: string): Promise<void>;
  /** Notes where the changes of a listing through all files begin. */
  keepChangesStart(run: string, token: string): Promise<void>;
  /** Keeps a page; false where another one was kept since it was asked for. */
  keepPage(run: string, page: ListedPage): Promise<boolean>;
  /** Takes files to read for a message of a lane, which it names by its token. */
  claim(run: string, how: { lane: number; token: string; limit: number }): Promise<Claim>;
  /** True while that claim holds. */
  holds(run: string, reader: Reader): Promise<boolean>;
  /** Notes how files ended; false where that run is none any more, or another reader has the lane. */
  settle(run: string, reader: Reader, settled: Settled[]): Promise<boolean>;
  /** Hands a lane on to its next message, which comes after so long; answers that one's token, null where the claim does not hold any more. */
  pass(run: string, reader: Reader, afterMs: number): Promise<string | null>;
  /** True where nothing of the run is left to be done, or being done. */
  isRead(run: string): Promise<boolean>;
  /** Notes that Drive is not asked for a while; returns for how long, in milliseconds, the longer the oftener it comes, 0 where the run is none any more; `isOver` where it failed for too long. */
  backOff(run: string, atLeastMs: number | null): Promise<{ waitMs: number; isOver: boolean }>;
  /** The run is over. */
  finish(run: string, end: { isOk: boolean; message: string }): Promise<void>;
  /** A file's name and address; null for one that is not indexed. */
  find(id: string): Promise<{ name: string; link: string | null } | null>;
  /** Of these files those that can be found in. */
  indexedAmong(ids: string[]): Promise<string[]>;
  /** Of these files those whose passages are the index's own: it counts on them, or deals with them yet. */
  ownAmong(ids: string[]): Promise<string[]>;
  /** Forgets all of it. */
  drop(): Promise<void>;
}
