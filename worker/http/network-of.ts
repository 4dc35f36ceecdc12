/** Groups of an IPv6 address that a line is given: its /64. All of the rest are its owner's to choose. */
const GROUPS = 4;
const ALL_GROUPS = 8;

/** What limits by address count as one: an IPv4 address by itself, an IPv6 address by its /64. Another text stands for itself. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(ip)?.[1];
  if (mapped !== undefined || !ip.includes(":")) return mapped ?? ip;
  const [left = [], right = []] = ip.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const gap = ip.includes("::") ? Math.max(0, ALL_GROUPS - left.length - right.length) : 0;
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right].slice(0, GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
