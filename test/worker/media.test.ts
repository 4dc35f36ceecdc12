import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { offerImage } from "#shared/contracts/chat/media.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { signIn, visitor, type Client } from "#test/support/worker.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { isPublicIp, publicUrl } from "#worker/platform/clients/public-address.ts";
import { fetchRemoteImage } from "#worker/platform/clients/remote-image.ts";
import { purgeMedia } from "#worker/library/media/purge-media.ts";
import { mediaUrl } from "#worker/library/media/media.ts";

const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const OWN = "polylogue.example";
/** Where a name leads that nothing speaks against. */
const PUBLIC = ["93.184.215.14"];

function pictureAt(name: string): string {
  return `${env.EXA_SIMULATOR}/images/${name}`;
}

function addressOf([input]: [RequestInfo | URL, ...unknown[]]): string {
  return new Request(input).url;
}

const OTHER_SERVICES = new Set(
  [env.AGGREGATOR_SIMULATOR, env.MAILBOX_SIMULATOR, env.PUSH_SIMULATOR, env.GOOGLE_SIMULATOR].map((service) => new URL(service).origin),
);

/** Whether a request is one of those that chats and jobs of earlier tests may still send. */
function isOfEarlierTests(address: string): boolean {
  return OTHER_SERVICES.has(new URL(address).origin);
}

async function open(client: Client, address: string): Promise<Response> {
  return client.fetch(await mediaUrl(env, address));
}

beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

it("GET /api/media answers a signed image, fetched once, as nothing but an image", async () => {
  const user = await signIn();
  const response = await open(user, pictureAt("harbour.png"));
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "cache-control": "private, max-age=86400",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
  });
  const first = await response.arrayBuffer();
  const fetched = vi.spyOn(globalThis, "fetch");
  const again = await open(await signIn(), pictureAt("harbour.png"));
  expect(again.status).toBe(200);
  expect(await again.arrayBuffer()).toEqual(first);
  expect(fetched.mock.calls.map(addressOf).filter((address) => address.includes("harbour"))).toEqual([]);
});

it("GET /api/media keeps an image for a month, and fetches it again for whoever looks later", async () => {
  const user = await signIn();
  const storedCount = async () => (await env.FILES.list({ prefix: "media/" })).objects.length;
  await open(user, pictureAt("harbour.png"));
  await open(user, pictureAt("bread.png"));
  const before = await storedCount();
  expect(before).toBeGreaterThan(1);
  const day = 24 * 60 * 60_000;
  expect(await purgeMedia(env, "", Date.now() + 29 * day)).toBeNull();
  expect(await storedCount()).toBe(before);
  expect(await purgeMedia(env, "", Date.now() + 31 * day)).toBeNull();
  expect(await storedCount()).toBe(0);
  expect((await open(user, pictureAt("harbour.png"))).status).toBe(200);
  expect(await storedCount()).toBe(1);
});

it("GET /api/media is no open proxy: what we did not sign is not found, and visitors are not asked in", async () => {
  const user = await signIn();
  const path = await mediaUrl(env, pictureAt("bread.png"));
  const [, , , signature = "", address = ""] = path.split("/");
  const other = (await mediaUrl(env, pictureAt("coffee.png"))).split("/").at(-1) ?? "";
  const changed = `${signature.slice(0, -2)}${signature.endsWith("AA") ? "BB" : "AA"}`;
  const fetched = vi.spyOn(globalThis, "fetch");
  for (const forged of [`/api/media/${signature}/${other}`, `/api/media/${changed}/${address}`, `/api/media/x/${address}`]) {
    expect((await user.fetch(forged)).status).toBe(404);
  }
  expect((await visitor().fetch(path)).status).toBe(401);
  expect((await visitWith({ SESSION_SECRET: "another-secret-of-at-least-32-characters" }, path, {})).status).not.toBe(200);
  expect(fetched.mock.calls.map(addressOf).filter((asked) => !isOfEarlierTests(asked))).toEqual([]);
});

it("GET /api/media follows a redirect to an image, and none to a private address or without end", async () => {
  const user = await signIn();
  expect((await open(user, pictureAt("moved.png"))).status).toBe(200);
  const fetched = vi.spyOn(globalThis, "fetch");
  for (const name of ["metadata.png", "inside.png", "circle.png"]) expect((await open(user, pictureAt(name))).status).toBe(404);
  const addresses = fetched.mock.calls.map(addressOf).filter((address) => !isOfEarlierTests(address));
  expect(addresses.filter((address) => address.endsWith("circle.png"))).toHaveLength(4);
  const hosts = addresses.map((address) => new URL(address).origin);
  expect(new Set(hosts)).toEqual(new Set([env.EXA_SIMULATOR]));
});

it("GET /api/media passes on nothing that is no image by its bytes, or is larger than 8 MB", async () => {
  const user = await signIn();
  for (const name of ["page.png", "vector.svg", "large.png", "missing.jpg"]) {
    const response = await open(user, pictureAt(name));
    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
});

describe("an image that stands in a message", () => {
  const answer = [
    "say",
    `![A bridge](${pictureAt("bridge.png")})`,
    "[![Linked][r]](https://example.org)",
    `and \`![](${pictureAt("code.png")})\``,
    `[r]: ${pictureAt("bread.png")}?a=1&amp;b=2`,
    "![Plain](http://cdn.example.org/a.png) ![Inside](https://10.0.0.7/a.png)",
  ]
    .join("\n\n")
    .replace("\n\n", " ");

  async function offer(client: Client, { chatId, messageId }: { chatId: string; messageId: string }, url: string) {
    return client.call(offerImage, { params: { id: chatId, messageId }, query: { url } });
  }

  it("an image that stands in a message has an address of our own for the chat's members, and no other address has", async () => {
    const user = await signIn();
    const { chatId, replyId, messageId } = await startChatAndRead(user, answer);
    const reply = { chatId, messageId: replyId };
    for (const url of [pictureAt("bridge.png"), `${pictureAt("bread.png")}?a=1&b=2`]) {
      const offered = await offer(user, reply, url);
      expect(offered).toMatchObject({ status: 200, body: { url: await mediaUrl(env, url) } });
    }
    const offered = await offer(user, reply, pictureAt("bridge.png"));
    expect(offered.ok && (await user.fetch(offered.body.url)).headers.get("content-type")).toBe("image/png");
    for (const url of [pictureAt("code.png"), pictureAt("other.png"), "https://example.org", "https://example.org/"]) {
      expect(await offer(user, reply, url)).toMatchObject({ status: 404, error: { code: "NOT_FOUND" } });
    }
    expect(await offer(user, { chatId, messageId: crypto.randomUUID() }, pictureAt("bridge.png"))).toMatchObject({ status: 404 });
    expect(await offer(user, { chatId, messageId }, pictureAt("elsewhere.png"))).toMatchObject({ status: 404 });
    expect(await offer(await signIn(), reply, pictureAt("bridge.png"))).toMatchObject({ status: 404, error: { error: "Not found." } });
  });

  it("an image that stands in a message is refused in words where its address is not public https", async () => {
    const user = await signIn();
    const { chatId, replyId } = await startChatAndRead(user, answer);
    for (const url of ["http://cdn.example.org/a.png", "https://10.0.0.7/a.png"]) {
      const refused = await offer(user, { chatId, messageId: replyId }, url);
      expect(refused).toMatchObject({ status: 400, error: { error: expect.stringContaining("public https addresses") } });
    }
  });

  it("an image that stands in a message can be asked for three hundred times an hour", async () => {
    const user = await signIn();
    const { chatId, replyId } = await startChatAndRead(user, answer);
    const limiter = env.RATE_LIMITER.getByName(`image:${user.user.id}`);
    const now = Date.now();
    for (let n = 0; n < 300; n += 1) await limiter.take({ limit: 300, since: now - 1_000_000, until: now + 1_000_000 });
    const reply = { chatId, messageId: replyId };
    // Counted before anything is read: a request for what is not there is one, too.
    for (const name of ["bridge.png", "other.png"]) expect(await offer(user, reply, pictureAt(name))).toMatchObject({ status: 429 });
  });

  it("an image that stands in a message is not looked for in a text that was made to keep its reader busy", async () => {
    const user = await signIn();
    const image = `![A bridge](${pictureAt("bridge.png")})`;
    const { chatId, messageId } = await startChatAndRead(user, `say ${image}\n\n${"*a_".repeat(4_000)}`);
    expect(await offer(user, { chatId, messageId }, pictureAt("bridge.png"))).toMatchObject({ status: 404 });
    const { chatId: other, messageId: harmless } = await startChatAndRead(
      user,
      `say ${image}\n\n${"*Some* words, and __more__ of them.\n\n".repeat(350)}`,
    );
    expect(await offer(user, { chatId: other, messageId: harmless }, pictureAt("bridge.png"))).toMatchObject({ status: 200 });
  });
});

/** A network with a resolver: names lead where it says, and every host answers with a picture. */
function network(names: Record<string, string[]>, redirects: Record<string, string> = {}) {
  const asked: string[] = [];
  const plainFetch = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = new URL(addressOf([input]));
    if (isOfEarlierTests(url.href)) return plainFetch(input, init);
    if (url.href.startsWith(env.DNS_SIMULATOR)) {
      const wanted = url.searchParams.get("type") === "AAAA";
      const found = (names[url.searchParams.get("name") ?? ""] ?? []).filter((ip) => ip.includes(":") === wanted);
      return Response.json({ Status: 0, Answer: found.map((data) => ({ type: wanted ? 28 : 1, data })) });
    }
    asked.push(url.href);
    const location = redirects[url.href];
    return location ? new Response(null, { status: 302, headers: { location } }) : new Response(PICTURE);
  });
  return asked;
}

it("a foreign image is fetched from a public host whose every address is public", async () => {
  const asked = network({ "cdn.example.org": ["93.184.215.14", "2606:2800:21f:cb07::1"] });
  expect(await fetchRemoteImage(env, "https://cdn.example.org/a.png", OWN)).toEqual({ bytes: PICTURE, type: "image/png" });
  expect(asked).toEqual(["https://cdn.example.org/a.png"]);
});

it("a foreign image is not asked for where the name leads into a private network, in part or after a redirect", async () => {
  const names = {
    "rebind.example.org": ["93.184.215.14", "10.0.0.7"],
    "six.example.org": ["::ffff:a9fe:a9fe"],
    "half.example.org": ["93.184.215.14", "fd00::1"],
    "cdn.example.org": ["93.184.215.14"],
  };
  const asked = network(names, { "https://cdn.example.org/a.png": "https://rebind.example.org/a.png" });
  for (const host of ["rebind.example.org", "six.example.org", "half.example.org", "unknown.example.org", "cdn.example.org"]) {
    expect(await fetchRemoteImage(env, `https://${host}/a.png`, OWN)).toBeNull();
  }
  expect(asked).toEqual(["https://cdn.example.org/a.png"]);
});

it.each([
  "http://cdn.example.org/a.png",
  "https://cdn.example.org:8443/a.png",
  "https://user:word@cdn.example.org/a.png",
  "https://cdn.example.org./a.png",
  `https://${OWN}/api/user`,
  "https://polylogue.workers.dev/a.png",
  `https://internal.${OWN}/a.png`,
  "http://127.0.0.1:1/a.png",
  "file:///etc/passwd",
  "data:image/png;base64,iVBORw0KGgo=",
])("a foreign image is not asked for at %s", async (address) => {
  const asked = network({ "cdn.example.org": PUBLIC, [new URL(address).hostname]: PUBLIC });
  expect(await fetchRemoteImage(env, address, OWN)).toBeNull();
  expect(asked).toEqual([]);
});

it.each([
  ["chat.example.com", ["chat.example.com", "admin.example.com", "example.com"], ["notexample.com", "example.com.au"]],
  ["chat.example.co.uk", ["admin.example.co.uk", "example.co.uk"], ["other.co.uk"]],
])("a foreign image is asked for in no zone of our own, which with %s is not every name that ends alike", async (own, ours, others) => {
  const origin = deploymentWith({ APP_ORIGIN: `https://${own}` });
  const asked = network(Object.fromEntries([...ours, ...others].map((name) => [name, PUBLIC])));
  for (const name of [...ours, ...others]) await fetchRemoteImage(origin, `https://${name}/a.png`, "localhost");
  expect(asked).toEqual(others.map((name) => `https://${name}/a.png`));
});

it("a foreign image has no stand-in in production", async () => {
  const asked = network({});
  expect(
    await fetchRemoteImage(deploymentWith({ ENVIRONMENT: "production", APP_ORIGIN: "http://localhost" }), pictureAt("bread.png"), OWN),
  ).toBeNull();
  expect(asked).toEqual([]);
});

it.each([
  "http://2130706433/",
  "http://0177.0.0.1/",
  "http://0x7f000001/",
  "http://127.1/",
  "http://１２７.0.0.1/",
  "http://[::1]/",
  "http://[::ffff:7f00:1]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://localhost./",
  "http://printer/",
  "http://router.lan/",
  "https://app.local/",
  "https://a@127.0.0.1/",
  "https://example.org@10.0.0.1/",
  "javascript:alert(1)",
  "ftp://example.org/a.png",
])("an address of a private network is none of the public web: %s", (address) => {
  expect(publicUrl(address)).toBeNull();
});

it("an address of the public web is one, also with letters beyond ASCII", () => {
  expect(publicUrl("https://bücher.example/a?b=1")?.hostname).toBe("xn--bcher-kva.example");
  expect(publicUrl("http://en.wikipedia.org/wiki/Bridge")).not.toBeNull();
});

it("an address of IP is public only outside the reserved blocks", () => {
  expect(["1.1.1.1", "172.32.0.1", "2606:4700::1111", "2001:4860:4860::8888"].filter((ip) => !isPublicIp(ip))).toEqual([]);
  const reserved = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.168.0.1",
    "198.19.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "2001:db8::1",
    "2001::1",
    "nonsense",
  ];
  expect(reserved.filter(isPublicIp)).toEqual([]);
});
