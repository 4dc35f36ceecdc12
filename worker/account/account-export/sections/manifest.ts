import { APP_NAME } from "#shared/app.ts";
import { ACCOUNT_FORMAT, ACCOUNT_VERSION } from "#shared/entities/library/account-export.ts";
import { IMPORT_FILE_BYTES } from "#shared/limits.ts";
import { type ExportContext, prettyJson } from "#worker/account/account-export/section.ts";

type Closing = { counts: Record<string, number>; leftOut: readonly { what: string; why: string }[]; leftOutCount: number };

/** Writes what is known of an export once all else is in it: what it is, what it counts, and what is missing. */
export async function closingSection({ archive, userId }: ExportContext, { counts, leftOut, leftOutCount }: Closing): Promise<void> {
  const manifest = {
    format: ACCOUNT_FORMAT,
    version: ACCOUNT_VERSION,
    exported_at: new Date().toISOString(),
    /** What ids are renewed by where this is imported again. */
    account_id: userId,
    counts,
    left_out_count: leftOutCount,
    left_out: leftOut,
  };
  await archive.text("account.json", prettyJson(manifest));
  await archive.text("README.txt", readme({ counts, leftOut, leftOutCount }));
}

function readme({ counts, leftOut, leftOutCount }: Closing): string {
  const counted = Object.entries(counts).map(([what, count]) => `  ${what.replaceAll("_", " ")}: ${count.toLocaleString("en")}`);
  const missing = leftOut.map(({ what, why }) => `  ${what}: ${why}`);
  const more = leftOutCount - leftOut.length;
  return [
    `Your ${APP_NAME} account, as it was when this file was made.`,
    "",
    "account.json      what this is, what it holds, and what could not be included",
    "profile/          you: name, picture, addresses, settings, teams, connections without their keys",
    "library/          personas and prompts, with what personas said before",
    "memory/           what models know about you",
    "schedules/        messages that are sent by themselves",
    "folders/          folders and tags of chats",
    "knowledge/        texts and files that chats answer from",
    "artifacts/        documents, with their versions and pictures",
    "chats/            your chats: each as .json with every branch and as .md to read, and in its folder its files and mails",
    "shared-chats/     chats of others that you may export",
    "usage/            what was spent",
    "",
    `In Settings, under Your data, this file can be imported again, into this account or another one, up to ${IMPORT_FILE_BYTES / 1024 ** 3} GB.`,
    "Passwords, keys and tokens are never part of it.",
    "",
    "It holds",
    ...counted,
    "",
    ...(leftOutCount === 0
      ? ["Nothing was left out."]
      : ["Could not be included", ...missing, ...(more > 0 ? [`  and ${more.toLocaleString("en")} more`] : [])]),
    "",
  ].join("\n");
}
