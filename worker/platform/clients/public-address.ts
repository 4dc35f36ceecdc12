/** Names that mean a machine or a network of someone's own, wherever they are asked for. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|onion)$/;

/** A name of at least two labels whose last begins with a letter: no IP address, no trailing dot, no brackets. */
const PUBLIC_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/;

/**
 * The address as a URL where it may be asked for on someone's behalf: http or https at the usual port, a public name, no
 * credentials; else null. The platform's own parser decides what the host is, so decimal, octal, hexadecimal and
 * full-width spellings of an IP address are what they mean.
 */
export function publicUrl(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  if (!isWeb || url.username !== "" || url.password !== "" || url.port !== "") return null;
  return PUBLIC_NAME.test(url.hostname) && !PRIVATE_NAME.test(url.hostname) ? url : null;
}

/** The IPv4 blocks that are not the public internet (IANA's special-purpose registry), as [first address, prefix length]. */
const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** True for an IP address of the public internet, as DNS answers write it. */
export function isPublicIp(ip: string): boolean {
  return ip.includes(":") ? isPublicV6(ip) : isPublicV4(ip);
}

function isPublicV4(ip: string): boolean {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(ip)) return false;
  const address = toNumber(ip);
  return !PRIVATE_V4.some(
    ([first, prefix]) => Math.floor(address / 2 ** (32 - prefix)) === Math.floor(toNumber(first) / 2 ** (32 - prefix)),
  );
}

function toNumber(ip: string): number {
  return ip.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** Global unicast alone (2000::/3), without what carries an IPv4 address inside (Teredo, 6to4) or is for documentation. */
function isPublicV6(ip: string): boolean {
  const [first = "", second = ""] = ip.toLowerCase().split(":");
  if (!/^[23][0-9a-f]{3}$/.test(first) || first === "2002") return false;
  return first !== "2001" || !/^(?:0{0,4}|0?db8)$/.test(second);
}
