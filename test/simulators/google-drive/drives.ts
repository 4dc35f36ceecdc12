/** People's drives: their files, and what changed in them since the beginning. */
import { FOLDER, GOOGLE, makeFile } from "./corpus.ts";

/** A file as the API's v3 has it, its text or bytes beside it. */
export type DriveFile = {
  id: string;
  name: string;
  mimeType: string;
  modifiedTime: string;
  parents: string[];
  trashed: boolean;
  text: string;
  /** Bytes that it says it has; those of its text where that is not given. */
  bytes: number | null;
  resourceKey: string | null;
  canDownload: boolean;
  shortcut: { targetId: string; targetMimeType: string; targetResourceKey: string | null } | null;
  /** True where a listing leaves it out, as files that are somebody else's and reached by a link alone are. */
  isUnlisted: boolean;
};

/** What goes wrong, and for how many more requests: `export` refuses what Google would make of a file, `bytes` breaks off within its own. */
export type DriveFault = {
  status: number;
  reason: string;
  retryAfter: number | null;
  times: number;
  on: "all" | "list" | "file" | "export" | "bytes" | "changes";
  file: string | null;
};

export type Drive = {
  files: Map<string, DriveFile>;
  /** Ids in the order in which they changed: a page token is a place in it. */
  changes: string[];
  /** Places before this one are forgotten. */
  firstChange: number;
  fault: DriveFault | null;
  /** How often each kind of question was asked. */
  asked: { list: number; file: number; changes: number };
};

export type GivenFile = Pick<DriveFile, "name" | "mimeType"> & { [Field in keyof DriveFile]?: DriveFile[Field] | undefined };

/** What a drive has that nobody was given one for, so there is something to look at. */
const DEMO: readonly GivenFile[] = [
  { id: "folder-demo-contracts-0001", name: "Contracts", mimeType: FOLDER },
  {
    id: "doc-demo-handbook-000001",
    name: "Studio handbook",
    mimeType: `${GOOGLE}document`,
    text: "# Studio handbook\n\n## Holidays\n\nEverybody has 30 days of holiday a year, and the studio is closed in the first week of August.\n\n## Rates\n\nA day of design is 920 euros, a day of engineering 1,040 euros.",
  },
  {
    id: "sheet-demo-rates-000001",
    name: "Rates and conditions",
    mimeType: `${GOOGLE}spreadsheet`,
    text: "work,rate a day\ndesign,920\nengineering,1040\nworkshops,2400",
  },
  {
    id: "slides-demo-pitch-00001",
    name: "Pitch for the city archive",
    mimeType: `${GOOGLE}presentation`,
    text: "The city archive\n\nWe scan 12,000 plans in nine months and publish them under an open licence.",
  },
  {
    id: "pdf-demo-lease-00000001",
    name: "Lease of the studio.pdf",
    mimeType: "application/pdf",
    text: "The lease of the studio in Moabit ends on 31 March 2029. The rent is 2,150 euros a month.",
    parents: ["folder-demo-contracts-0001"],
  },
  {
    id: "text-demo-insurance-0001",
    name: "Insurance.txt",
    mimeType: "text/plain",
    text: "The insurance number of the studio is VN-48-2231. Damage is told within seven days.",
    parents: ["folder-demo-contracts-0001"],
  },
  { id: "photo-demo-team-00000001", name: "Team.jpg", mimeType: "image/jpeg", bytes: 240_000 },
];

/** All drives of one simulator, each made when it is first asked for. */
export type Drives = {
  of(email: string): Drive;
  /** A drive of so many made files in the place of what there was. */
  fill(email: string, count: number): void;
  put(email: string, file: GivenFile): DriveFile;
  remove(email: string, ids: readonly string[]): void;
};

/** No drives yet. */
export function createDrives(): Drives {
  const all = new Map<string, Drive>();
  let clock = Date.parse("2026-01-05T08:00:00.000Z");

  function of(email: string): Drive {
    const known = all.get(email);
    if (known) return known;
    const drive = emptyDrive();
    all.set(email, drive);
    for (const file of DEMO) keep(drive, file);
    return drive;
  }

  function keep(drive: Drive, { id = `file-${crypto.randomUUID()}`, ...given }: GivenFile): DriveFile {
    const before = drive.files.get(id);
    clock += 1_000;
    const file: DriveFile = {
      parents: [],
      trashed: false,
      text: "",
      bytes: null,
      resourceKey: null,
      canDownload: true,
      shortcut: null,
      isUnlisted: false,
      ...before,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      name: given.name,
      mimeType: given.mimeType,
      id,
      modifiedTime: given.modifiedTime ?? new Date(clock).toISOString(),
    };
    drive.files.set(id, file);
    drive.changes.push(id);
    return file;
  }

  return {
    of,
    fill(email, count) {
      const drive = emptyDrive();
      all.set(email, drive);
      for (let number = 0; number < count; number += 1) keep(drive, makeFile(number));
    },
    put: (email, file) => keep(of(email), file),
    remove(email, ids) {
      const drive = of(email);
      for (const id of ids) if (drive.files.delete(id)) drive.changes.push(id);
    },
  };
}

function emptyDrive(): Drive {
  return { files: new Map(), changes: [], firstChange: 0, fault: null, asked: { list: 0, file: 0, changes: 0 } };
}

/** Bytes of a file as it is downloaded, which a Google type has none of. */
export function sizeOf(file: DriveFile, content: Uint8Array | null): number | null {
  if (file.mimeType.startsWith(GOOGLE)) return null;
  return file.bytes ?? content?.byteLength ?? Buffer.byteLength(file.text);
}
