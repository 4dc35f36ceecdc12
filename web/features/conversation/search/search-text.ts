import type { SearchKind } from "#shared/contracts/search.ts";
import { parseSearchDate } from "#shared/search/search-dates.ts";
import { parseSearch, type SearchFilter } from "#shared/search/search-query.ts";

/** A filter that stands beside the text instead of in it. */
export type Chip = Pick<SearchFilter, "name" | "value">;

function clock(): { now: number; offsetMinutes: number } {
  const now = new Date();
  return { now: now.getTime(), offsetMinutes: now.getTimezoneOffset() };
}

/** Takes filters that are written to their end, as a space after them says, out of the text; `kind` is the one that the last `in:` names. */
export function extractFilters(text: string): { text: string; chips: Chip[]; kind: SearchKind | undefined } {
  const finished = parseSearch(text, clock()).filters.filter(({ end }) => text[end] === " ");
  const rest = finished.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end + 1), text);
  const chips = finished
    .filter(({ kind }) => kind === undefined)
    .map(({ name, value }) => ({ name, value: name === "is" ? value.toLowerCase() : value }));
  return { text: rest, chips, kind: finished.findLast(({ kind }) => kind !== undefined)?.kind };
}

/** The chips with some more, each mark once. */
export function addChips(chips: readonly Chip[], more: readonly Chip[]): Chip[] {
  const all = [...chips, ...more];
  return all.filter((chip, index) => all.findIndex((other) => isSameChip(other, chip)) === index);
}

/** The chips with one put in or, where it is among them, taken out. */
export function toggleChip(chips: readonly Chip[], chip: Chip): Chip[] {
  return hasChip(chips, chip) ? chips.filter((other) => !isSameChip(other, chip)) : [...chips, chip];
}

/** True where the filter is set. */
export function hasChip(chips: readonly Chip[], chip: Chip): boolean {
  return chips.some((other) => isSameChip(other, chip));
}

function isSameChip(one: Chip, other: Chip): boolean {
  return one.name === other.name && one.value === other.value;
}

/** So many characters of an action's name are no accident. */
const MEANT_FROM = 3;

/** The actions around beginning a chat with a text: before it those whose name the text begins, as they are meant, behind it the others. */
export function orderAroundNewChat<T extends { label: string }>(actions: readonly T[], begin: T, text: string): T[] {
  const isMeant = ({ label }: T) => text.length >= MEANT_FROM && label.toLowerCase().startsWith(text.toLowerCase());
  return [...actions.filter(isMeant), begin, ...actions.filter((action) => !isMeant(action))];
}

/** What a chip says. */
export function chipLabel({ name, value }: Chip): string {
  const prefix = { in: "In", tag: "Tag", from: "From", is: "", after: "Since", before: "Before" }[name];
  const shownValue = name === "is" || name === "after" || name === "before" ? value.charAt(0).toUpperCase() + value.slice(1) : value;
  return `${prefix} ${shownValue}`.trim();
}

/** What the server is asked: chips before the text, so its last word may still go on; days as this browser's calendar has them. */
export function toQuery(text: string, chips: readonly Chip[]): string {
  const { filters } = parseSearch(text, clock());
  const dated = filters
    .filter(isDate)
    .reduceRight((left, { name, value, start, end }) => `${left.slice(0, start)}${name}:${momentOf(value)}${left.slice(end)}`, text);
  const tokens = chips.map((chip) => `${chip.name}:${isDate(chip) ? momentOf(chip.value) : `"${chip.value.replaceAll(/["“”„]/g, "")}"`}`);
  return [...tokens, dated.trim()].join(" ").trim();
}

function isDate({ name }: Chip): boolean {
  return name === "before" || name === "after";
}

function momentOf(value: string): string {
  const at = parseSearchDate(value, clock());
  return at === null ? value : new Date(at).toISOString();
}

/** The words of the text, without filters and quotes: what a new chat would be about. */
export function plainQueryText(text: string): string {
  return parseSearch(text, clock())
    .terms.map((term) => term.text)
    .join(" ");
}

/** True where all words of the text begin one of the title's, whatever their case and accents: for a first look before the server answers. */
export function titleMatches(title: string, text: string): boolean {
  const titleWords = plain(title).split(/[^\p{L}\p{N}]+/u);
  const sought = plain(plainQueryText(text)).split(/[^\p{L}\p{N}]+/u);
  return sought.every((word) => titleWords.some((other) => other.startsWith(word)));
}

function plain(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase();
}
