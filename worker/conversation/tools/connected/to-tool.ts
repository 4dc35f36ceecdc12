import * as z from "zod/mini";
import type { Tool } from "../tool.ts";
import type { ConnectedTool } from "./connected-tool.ts";

/** Milliseconds that a call may take: what a session allows, and connecting. */
const TIMEOUT_MS = 330_000;

const Input = z.record(z.string(), z.unknown());

/** What runs a connected tool. Whatever its server answers is others' text. */
export function toTool(connected: ConnectedTool): Tool<typeof Input> {
  const { id, connection, name, description, schema, isQuiet } = connected;
  return {
    id,
    // Servers have tools of the same name, and a model has to know whose it calls.
    description: `${description || name} (A tool of ${JSON.stringify(connection)}, which the user connected.)`,
    input: Input,
    schema,
    source: "mcp",
    dollars: 0,
    actsOutside: !isQuiet,
    readsOutside: true,
    isForAccounts: true,
    timeoutMs: TIMEOUT_MS,
    // What only reads may still be asked to read at an address that carries what the model knows.
    asksFirst: (input, { hasUntrustedText, knowsAddress }) => hasUntrustedText && addressesInInput(input).some((url) => !knowsAddress(url)),
    run: async (input, context) => (await context.connections()).call(connected, input, context),
  };
}

const NAMES_A_PLACE = /ur[il]|link|href|src|host|domain|site|address|location|endpoint|server|target/i;
const HOST = /^(?:\/\/)?(?:[^\s@/]+@)?(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+(?:[:/?#]\S*)?$/u;
/** Programs that fetch take a single slash, none, and backslashes too. */
const BEGINS_AN_ADDRESS = /^(?:(?:https?|wss?|ftp):|(?:feed|view-source):\S*\.)/i;
/** A host that ends in letters, as no version does, with what is asked of it: a path, a query, or as `scp` has it. Not a folder within a path. */
const HOST_AND_PATH =
  /(?:^[\\/]{2,}|(?<![\p{L}\p{N}_./\\-]))(?:[\p{L}\p{N}_-]+\.)+(?<end>\p{L}{2,}|xn--[a-z\d-]+)\.?(?:(?::\d+)?(?:[\\/]|\?\S)|(?<=@[^@]{1,255}):\S)/giu;
/** What files end in, and no host. */
const FILE_ENDING =
  /^(?:bmp|conf|css|csv|docx?|exe|gif|html?|ini|java|jpe?g|jsx?|json|log|pdf|php|png|pptx?|svg|toml|tsx?|txt|webp|xlsx?|xml|ya?ml)$/i;

/** The addresses in a call's arguments, whatever they are called; a host without more only where its field is named after one. */
function addressesInInput(input: unknown, field = ""): string[] {
  if (typeof input === "string") return addressesInValue(input, field);
  if (Array.isArray(input)) return input.flatMap((value: unknown) => addressesInInput(value, field));
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) => [...addressesIn(name), ...addressesInInput(value, name)]);
}

function addressesInValue(value: string, field: string): string[] {
  // What fetches drops tabs and line breaks within an address.
  const joined = value.trim().replaceAll(/[\t\r\n]+/g, "");
  const isAddress = (text: string) => BEGINS_AN_ADDRESS.test(text) || (NAMES_A_PLACE.test(field) && HOST.test(text));
  return /^\S+$/.test(joined) && [joined, decoded(joined)].some(isAddress) ? [joined] : addressesIn(value);
}

const BETWEEN_WORDS = /[\s<>"'`()[\]{},;]+/u;

function addressesIn(text: string): string[] {
  return text.split(BETWEEN_WORDS).filter((word) => holdsAddress(word) || decoded(word).split(BETWEEN_WORDS).some(holdsAddress));
}

function holdsAddress(word: string): boolean {
  if (word.includes("://") || BEGINS_AN_ADDRESS.test(word) || /^www\./i.test(word)) return true;
  return [...word.matchAll(HOST_AND_PATH)].some(({ groups }) => !FILE_ENDING.test(groups?.["end"] ?? ""));
}

/** A text as what fetches may read it: its percent signs decoded, and of a host's signs the plain ones. */
function decoded(text: string): string {
  const bytes = (run: string) => Uint8Array.from(run.slice(1).split("%"), (byte) => Number.parseInt(byte, 16));
  const signs = text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => new TextDecoder().decode(bytes(run)));
  return signs
    .normalize("NFKC")
    .replaceAll("\u3002", ".")
    .replaceAll(/\p{Cf}/gu, "");
}
