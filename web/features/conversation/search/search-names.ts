import type { UnknownName } from "#shared/contracts/search.ts";
import type { Folder, Tag } from "#shared/entities/folders/folder.ts";
import { pathOf } from "#shared/folders/tree.ts";
import { titleMatches, plainQueryText } from "./search-text.ts";

/** Names that are offered while one is typed, and folders by name among what is found. */
const NAMES_SHOWN = 6;
const FOLDERS_SHOWN = 4;

/** A folder or tag that a filter may name: `value` as the filter says it, `where` what the folder is in. */
export type FilterName = { name: "in" | "tag"; id: string; value: string; label: string; where: string };

/** A folder that is found by its name. */
export type FolderHit = { id: string; name: string; where: string };

type Filed = { folders: readonly Folder[]; tags: readonly Tag[] };

/** A name at the end of the text that is not written to its end, in quotes or without. */
const OPEN_NAME = /(?:^|\s)(in|tag):(?:["“”„]([^"“”„]*)|([^\s"“”„]*))$/iu;

/** The filter that is being typed: where it starts, and what there is of the name; null where the text ends with none. */
export function nameBeingTyped(text: string): { name: "in" | "tag"; typed: string; start: number } | null {
  const match = OPEN_NAME.exec(text);
  if (!match) return null;
  const name = match[1]?.toLowerCase() === "tag" ? "tag" : "in";
  return { name, typed: match[2] ?? match[3] ?? "", start: match.index + (/^\s/.test(match[0]) ? 1 : 0) };
}

/** The names that what is being typed may become; none once it is one of them. */
export function namesFor(text: string, { folders, tags }: Filed): FilterName[] {
  const asked = nameBeingTyped(text);
  if (!asked) return [];
  const all = asked.name === "in" ? folders.map((folder) => toName(folder, folders)) : tags.map(tagName);
  const isExactName = all.some(({ value }) => value.toLowerCase() === asked.typed.trim().toLowerCase());
  if (isExactName) return [];
  return all.filter(({ label }) => titleMatches(label, asked.typed)).slice(0, NAMES_SHOWN);
}

/** The text with the name that is being typed written to its end. */
export function withName(text: string, { name, value }: Pick<FilterName, "name" | "value">): string {
  const start = nameBeingTyped(text)?.start ?? text.length;
  return `${text.slice(0, start)}${name}:"${value.replaceAll(/["“”„]/g, "")}" `;
}

/** Folders that are called by the words of the text. */
export function foldersNamed(text: string, folders: readonly Folder[]): FolderHit[] {
  const sought = plainQueryText(text).trim();
  if (sought === "" || nameBeingTyped(text)) return [];
  return folders
    .filter(({ name }) => titleMatches(name, sought))
    .slice(0, FOLDERS_SHOWN)
    .map((folder) => ({ id: folder.id, name: folder.name, where: placeOf(folder, folders) }));
}

/** What is said of a search that found nothing and names what there is not. */
export function unknownText(unknown: readonly UnknownName[]): string {
  return ["No results found.", ...unknown.map(missingNameText)].join(" ");
}

function missingNameText({ name, value }: UnknownName): string {
  if (name === "tag") return `There is no tag called “${value}”.`;
  return `There is no folder called “${value}”, so the titles of chats were searched for it.`;
}

/** The way to a folder, without its own name. */
function placeOf(folder: Folder, folders: readonly Folder[]): string {
  return pathOf(folders, folder.parent_id)
    .map(({ name }) => name)
    .join(" / ");
}

function toName(folder: Folder, folders: readonly Folder[]): FilterName {
  const isOnly = folders.every((other) => other.id === folder.id || other.name.toLowerCase() !== folder.name.toLowerCase());
  const path = pathOf(folders, folder.id).map(({ name }) => name);
  return { name: "in", id: folder.id, value: isOnly ? folder.name : path.join("/"), label: folder.name, where: placeOf(folder, folders) };
}

function tagName({ id, name }: Tag): FilterName {
  return { name: "tag", id, value: name, label: name, where: "" };
}
