import { formatBytes } from "#shared/attachment-rules.ts";
import type { DeletionPreview } from "#shared/contracts/account/deletion.ts";

/** What goes with an account, a line for each kind that there is. */
export function deletionLines(preview: DeletionPreview): string[] {
  const { chats, sharedChats, readers, artifacts, knowledge, personas, prompts, storedBytes, credits, loneTeams } = preview;
  const shared = sharedChats === 0 ? "" : `, of which ${sharedChats === chats ? "all" : count(sharedChats)} shared with ${people(readers)}`;
  const library = [
    artifacts > 0 && amount(artifacts, "artifact"),
    knowledge > 0 && amount(knowledge, "knowledge entr", "y", "ies"),
    personas > 0 && amount(personas, "persona"),
    prompts > 0 && amount(prompts, "prompt"),
  ].filter((line) => line !== false);
  return [
    chats > 0 && `${amount(chats, "chat")}${shared}`,
    storedBytes > 0 && `${formatBytes(storedBytes)} of files`,
    ...library,
    loneTeams.length > 0 && `${loneTeams.length === 1 ? "the team" : "the teams"} ${names(loneTeams)}, where nobody else is`,
    "your memory, schedules, folders, settings and connections",
    credits > 0 && `$${credits.toFixed(2)} of credits, which are not paid back`,
  ].filter((line) => line !== false);
}

/** Why an account cannot go yet, null where it can: `You are the only admin of ‘Ops’. ...` */
export function deletionBlocker({ leaderlessTeams: teams }: Pick<DeletionPreview, "leaderlessTeams">): string | null {
  if (teams.length === 0) return null;
  const todo =
    teams.length === 1
      ? "Make somebody else an admin, or delete the team first."
      : "Make somebody else an admin of each, or delete these teams first.";
  return `You are the only admin of ${names(teams)}. ${todo}`;
}

function names(teams: readonly { name: string }[]): string {
  return teams.map(({ name }) => `\u2018${name}\u2019`).join(", ");
}

function people(number: number): string {
  return number === 1 ? "1 person" : `${count(number)} people`;
}

function amount(number: number, noun: string, one = "", many = "s"): string {
  return `${count(number)} ${noun}${number === 1 ? one : many}`;
}

function count(number: number): string {
  return number.toLocaleString("en");
}
