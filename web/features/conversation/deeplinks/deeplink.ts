/** What a link to a new chat sets up: the specification's parameters of `/new`. */
export type Deeplink = {
  model: string | null;
  /** Literal text. */
  prompt: string | null;
  /** A prompt's id. */
  template: string | null;
  persona: string | null;
  /** Ids of knowledge entries. */
  knowledge: readonly string[];
  autoSettings: boolean;
};

/** In the order in which a link is written. */
export const DEEPLINK_PARAMETERS = ["prompt", "template", "model", "persona", "knowledge", "auto_settings"] as const;
export type DeeplinkParameter = (typeof DEEPLINK_PARAMETERS)[number];

/** A longer address breaks on its way: in mails, in chats and at some servers. In characters. */
export const DEEPLINK_LENGTH = 8_000;

/** What an address's query sets up; null where it says nothing of the kind. */
export function readDeeplink(query: URLSearchParams): Deeplink | null {
  if (!DEEPLINK_PARAMETERS.some((name) => query.has(name))) return null;
  const ids = (query.get("knowledge") ?? "").split(",").map((id) => id.trim());
  return {
    model: idIn(query, "model"),
    prompt: query.get("prompt")?.trim() ? query.get("prompt") : null,
    template: idIn(query, "template"),
    persona: idIn(query, "persona"),
    knowledge: [...new Set(ids)].filter((id) => id !== ""),
    autoSettings: query.get("auto_settings") === "true",
  };
}

function idIn(query: URLSearchParams, name: DeeplinkParameter): string | null {
  return query.get(name)?.trim() || null;
}

/** The parameters of a link, encoded, in their order. */
export function deeplinkParts(link: Deeplink): [name: DeeplinkParameter, value: string][] {
  const values: Record<DeeplinkParameter, string> = {
    prompt: encode(link.prompt ?? ""),
    template: encode(link.template ?? ""),
    // A slash and a colon read better as they are, and mean nothing in a query.
    model: encode(link.model ?? "")
      .replaceAll("%2F", "/")
      .replaceAll("%3A", ":"),
    persona: encode(link.persona ?? ""),
    knowledge: link.knowledge.map(encode).join(","),
    auto_settings: link.autoSettings ? "true" : "",
  };
  return DEEPLINK_PARAMETERS.flatMap((name) => (values[name] === "" ? [] : [[name, values[name]]]));
}

/** The address that a link sets a new chat up with, from `/new` on. */
export function deeplinkPath(link: Deeplink): string {
  const query = deeplinkParts(link).map(([name, value]) => `${name}=${value}`);
  return query.length === 0 ? "/new" : `/new?${query.join("&")}`;
}

/** Beside a link's own parameters on the way back from signing in: its text stands in the composer already. */
export const FILLED_IN = "filled_in";

/** The address that sets a new chat up again after signing in, with the text left as the person has it by then. */
export function carriedPath(link: Deeplink): string {
  return link.prompt === null ? deeplinkPath(link) : `${deeplinkPath(link)}&${FILLED_IN}=true`;
}

/** As `encodeURIComponent`, which refuses half a character, as a cut text may end with. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
