/** Groups of an IPv6 address that one customer may be given: a /48. All of the rest are theirs to choose. */
const GROUPS = 3;
const ALL_GROUPS = 8;

/** What limits by address count as one: an IPv4 address by itself, an IPv6 address by its /48. Another text stands for itself. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(ip)?.[1];
  if (mapped !== undefined || !ip.includes(":")) return mapped ?? ip;
  const [left = [], right = []] = ip.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const gap = ip.includes("::") ? Math.max(0, ALL_GROUPS - left.length - right.length) : 0;
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right].slice(0, GROUPS);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/48`;
}

/** Where a request came from as the log may say it, which is nobody's own address: the first three numbers of an IPv4 address. */
export function networkToLog(ip: string): string {
  const network = networkOf(ip);
  return network.replace(/^(\d+\.\d+\.\d+)\.\d+$/, "$1.0/24");
}
