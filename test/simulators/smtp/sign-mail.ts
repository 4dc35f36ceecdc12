/** Signs a mail as its sender's server does (RFC 6376), written from the standard and apart from what verifies it. */

/** A private key, PKCS #8 in base64. */
export type MailKeys = { rsa: string; ed25519: string };

export type Signing = {
  domain: string;
  selector: string;
  /** The names of the fields that are covered, as `h=` has them. */
  fields: string;
  algorithm?: "rsa-sha256" | "ed25519-sha256";
  canonicalization?: "relaxed/relaxed" | "relaxed/simple" | "simple/relaxed" | "simple/simple";
  /** Further tags, each with its semicolon, e.g. `t=1;`. */
  tags?: string;
  /** Makes it the `ARC-Message-Signature` of a set with this number (RFC 8617). */
  instance?: number;
};

type Canon = "relaxed" | "simple";

/** The `DKIM-Signature` field of a source whose lines end with CRLF, folded as servers do. */
export async function signatureOf(source: Uint8Array, signing: Signing, keys: MailKeys): Promise<string> {
  const { domain, selector, fields, algorithm = "rsa-sha256", canonicalization = "relaxed/relaxed", tags = "", instance } = signing;
  const isSimple = { header: canonicalization.startsWith("simple"), body: canonicalization.endsWith("simple") };
  const text = toText(source);
  const end = text.indexOf("\r\n\r\n");
  const header = text.slice(0, end === -1 ? text.length : end + 2);
  const body = canonBody(end === -1 ? "" : text.slice(end + 4), isSimple.body ? "simple" : "relaxed");
  const bodyHash = toBase64(await crypto.subtle.digest("SHA-256", toBytes(body)));
  const first = instance === undefined ? "DKIM-Signature: v=1;" : `ARC-Message-Signature: i=${instance};`;
  const start = `${first} a=${algorithm}; c=${canonicalization}; d=${domain}; s=${selector};`;
  const unsigned = `${start}\r\n\t${tags === "" ? "" : `${tags} `}h=${fields};\r\n\tbh=${bodyHash};\r\n\tb=`;
  const canon = isSimple.header ? "simple" : "relaxed";
  const covered = pick(header, fields).map((field) => `${canonField(field, canon)}\r\n`);
  const data = toBytes(covered.join("") + canonField(unsigned, canon));
  return unsigned + toBase64(await signWith(data, { algorithm, keys }));
}

/** The source with its signature right above it. */
export async function signMail(source: Uint8Array, signings: readonly Signing[], keys: MailKeys): Promise<Uint8Array> {
  const signatures: string[] = [];
  for (const signing of signings) signatures.push(`${await signatureOf(source, signing, keys)}\r\n`);
  const top = toBytes(signatures.join(""));
  const signed = new Uint8Array(top.length + source.length);
  signed.set(top);
  signed.set(source, top.length);
  return signed;
}

/** The fields of an ARC set that somebody puts on top of a mail, the first one that it has: seal, signature and results. */
export async function arcSetOf(
  source: Uint8Array,
  { domain, selector, results, tags, fields }: Pick<Signing, "domain" | "selector" | "tags" | "fields"> & { results: string },
  keys: MailKeys,
): Promise<[seal: string, signature: string, results: string]> {
  const signature = await signatureOf(source, { domain, selector, fields, instance: 1, ...(tags !== undefined && { tags }) }, keys);
  const found = `ARC-Authentication-Results: i=1; ${results}`;
  const seal = `ARC-Seal: i=1; a=rsa-sha256; s=${selector}; d=${domain}; cv=none;\r\n\tb=`;
  const data = [found, signature, seal].map((field) => canonField(field, "relaxed")).join("\r\n");
  return [seal + toBase64(await signWith(toBytes(data), { algorithm: "rsa-sha256", keys })), signature, found];
}

async function signWith(data: Uint8Array<ArrayBuffer>, { algorithm, keys }: { algorithm: string; keys: MailKeys }): Promise<ArrayBuffer> {
  if (algorithm === "ed25519-sha256") {
    const key = await crypto.subtle.importKey("pkcs8", fromBase64(keys.ed25519), { name: "Ed25519" }, false, ["sign"]);
    return crypto.subtle.sign({ name: "Ed25519" }, key, await crypto.subtle.digest("SHA-256", data));
  }
  const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  return crypto.subtle.sign(rsa, await crypto.subtle.importKey("pkcs8", fromBase64(keys.rsa), rsa, false, ["sign"]), data);
}

/** The lowest field of a name first, the one above it where the name is given again; what is not there is left out. */
function pick(header: string, names: string): string[] {
  const left = header.split(/\r\n(?![ \t])/).filter((field) => field !== "");
  return names
    .split(":")
    .map((name) => name.trim().toLowerCase())
    .flatMap((name) => {
      const at = left.findLastIndex((field) => field.slice(0, field.indexOf(":")).trim().toLowerCase() === name);
      return at === -1 ? [] : left.splice(at, 1);
    });
}

function canonField(field: string, canon: Canon): string {
  if (canon === "simple") return field;
  const colon = field.indexOf(":");
  const value = field
    .slice(colon + 1)
    .replaceAll("\r\n", "")
    .replaceAll(/[ \t]+/g, " ")
    .trim();
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
}

function canonBody(body: string, canon: Canon): string {
  const lines = body.split("\r\n").map((line) => (canon === "simple" ? line : line.replaceAll(/[ \t]+/g, " ").replace(/ $/, "")));
  while (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) return canon === "simple" ? "\r\n" : "";
  return `${lines.join("\r\n")}\r\n`;
}

/** A character for each byte, whatever it is. */
function toText(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let at = 0; at < bytes.length; at += 8_192) chunks.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)));
  return chunks.join("");
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function toBase64(bytes: ArrayBuffer): string {
  return btoa(toText(new Uint8Array(bytes)));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return toBytes(atob(text));
}
