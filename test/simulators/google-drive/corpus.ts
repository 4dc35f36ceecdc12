/** Files that are made from their number: the same each time, of ten kinds in turn, each with a fact of its own to be asked about. */

export const GOOGLE = "application/vnd.google-apps.";
export const FOLDER = `${GOOGLE}folder`;
export const SHORTCUT = `${GOOGLE}shortcut`;

const OFFICE = "application/vnd.openxmlformats-officedocument.";
export const DOCX = `${OFFICE}wordprocessingml.document`;
export const XLSX = `${OFFICE}spreadsheetml.sheet`;

/** The kinds in their turn: what is at the end of a name, and the type. */
const KINDS = [
  { end: "", mimeType: `${GOOGLE}document` },
  { end: "", mimeType: `${GOOGLE}spreadsheet` },
  { end: "", mimeType: `${GOOGLE}presentation` },
  { end: ".pdf", mimeType: "application/pdf" },
  { end: ".docx", mimeType: DOCX },
  { end: ".xlsx", mimeType: XLSX },
  { end: ".txt", mimeType: "text/plain" },
  { end: ".md", mimeType: "text/markdown" },
  { end: ".csv", mimeType: "text/csv" },
  { end: ".json", mimeType: "application/json" },
] as const;

const TREES = ["alder", "birch", "cedar", "elm", "hazel", "juniper", "larch", "maple", "poplar", "rowan"] as const;

/** A file before it is in a drive. */
export type MadeFile = { id: string; name: string; mimeType: string; text: string };

/** The file of a number, from 0. */
export function makeFile(number: number): MadeFile {
  const { end, mimeType } = KINDS[number % KINDS.length] ?? KINDS[0];
  const tree = TREES[Math.floor(number / KINDS.length) % TREES.length] ?? "oak";
  const project = `${tree}-${number}`;
  const name = `Notes on ${project}${end}`;
  return { id: `file-${String(number).padStart(6, "0")}-made-for-tests`, name, mimeType, text: textOf(mimeType, project, number) };
}

/** The fact in the file of a number: its badge's code. */
export function codeOf(number: number): string {
  return `K${(number * 7919) % 90_000}${number}`;
}

function textOf(mimeType: string, project: string, number: number): string {
  const code = codeOf(number);
  if (mimeType === XLSX || mimeType.endsWith("spreadsheet") || mimeType === "text/csv")
    return `project,badge code,budget\n${project},${code},${1000 + number}\nreserve,none,${number}`;
  if (mimeType === "application/json") return JSON.stringify({ project, badge_code: code, budget: 1000 + number }, null, 2);
  const heading = mimeType.endsWith("document") || mimeType === "text/markdown" ? `# Project ${project}` : `Project ${project}`;
  return `${heading}\n\nThe badge code of the project ${project} is ${code}.\nIts budget is ${1000 + number} euros and it ends in ${2027 + (number % 5)}.`;
}
