import {
  askFrame,
  LOUD_WAYS,
  quietDocuments,
  SCRIPT_WAYS,
  showDocuments,
  STILL_WAYS,
  type Way,
} from "../e2e/fixtures/hostile-documents.ts";
import { listen } from "../support/listener.ts";
import { until } from "../support/until.ts";
import { expect, test } from "./test.ts";

test("hostile documents connect nowhere, whether their scripts run or not", async ({ tab, driven, allowConsole }) => {
  allowConsole(/./);
  const connections: string[] = [];
  const listeners: { close: () => void }[] = [];
  const hear = async (name: string) => {
    const listener = await listen(connections, name);
    listeners.push(listener);
    return listener.port;
  };
  const documentsOf = (ways: readonly Way[], name: string) =>
    Promise.all(ways.map(async (way) => `<!doctype html>${way(`http://127.0.0.1:${await hear(`${name}: ${way("to")}`)}/`)}`));
  await tab.goto("/auth/login");
  const still = [...(await documentsOf(STILL_WAYS, "still")), ...(await documentsOf(SCRIPT_WAYS, "still"))];
  await tab.evaluate(showDocuments, { documents: still, scripts: false });
  for (let n = 0; n < 3; n += 1) expect(await tab.evaluate(askFrame, false)).toBe("asks ");
  await tab.goto("/auth/login");
  const all = (await Promise.all([LOUD_WAYS, STILL_WAYS, SCRIPT_WAYS].map((ways) => documentsOf(ways, "runs")))).flat();
  const quiet = quietDocuments(await hear("runs: a hint or a peer"));
  await tab.evaluate(showDocuments, { documents: [...all, ...quiet], scripts: true });
  for (let n = 0; n < 3; n += 1) expect(await tab.evaluate(askFrame, true)).toContain("null refused refused refused");

  // A link that is pressed, which some browsers connect for before they ask where it may lead.
  const press = async (markup: (to: string) => string, name: string) => {
    const source = markup(`http://127.0.0.1:${await hear(name)}/`);
    await tab.goto("/auth/login");
    await tab.evaluate(showDocuments, { documents: [source], scripts: true });
    await tab.evaluate(askFrame, true);
    await tab.evaluate(() => {
      const frame = document.querySelector("iframe");
      if (frame) frame.style.cssText = "position: fixed; inset: 0; width: 100%; height: 100%; z-index: 9";
    });
    await tab.click({ css: "iframe", nth: 0 });
  };
  const fullPageStyle = `style="position: fixed; inset: 0; display: block"`;
  await press((to) => `<a href="${to}" ${fullPageStyle}>x</a>`, "pressed: a link");
  await press((to) => `<a href="${to}" target="_blank" ${fullPageStyle}>x</a>`, "pressed: a link to a window of its own");
  await press(
    (to) =>
      `<p ${fullPageStyle}></p><script>document.querySelector("p").attachShadow({ mode: "closed" }).innerHTML = '<a href="${to}" style="position: fixed; inset: 0; display: block">x</a>'</script>`,
    "pressed: a link in a closed root",
  );
  await press(
    (to) => `<svg ${fullPageStyle} width="2000" height="2000"><a href="${to}"><rect width="2000" height="2000"/></a></svg>`,
    "pressed: in a picture",
  );
  expect(connections).toEqual([]);

  // What a page may say in this way is heard, so all of the above would have been.
  const control = await hear("a page");
  await tab.evaluate((to) => {
    const link = Object.assign(document.createElement("link"), { rel: "preconnect", href: to });
    document.head.append(link);
  }, `http://127.0.0.1:${control}/`);
  await until("a connection of the page's own", () => connections.includes("a page: a connection"));
  if (driven === "firefox") {
    await tab.goto("/auth/login");
    const pressed = await hear("a page's link");
    await tab.evaluate((to) => {
      const link = Object.assign(document.createElement("a"), {
        href: to,
        textContent: "x",
        onclick: (event: Event) => event.preventDefault(),
      });
      link.style.cssText = "position: fixed; inset: 0; z-index: 9";
      document.body.append(link);
    }, `http://127.0.0.1:${pressed}/`);
    await tab.click({ css: "body > a" });
    await until("a connection for a pressed link", () => connections.includes("a page's link: a connection"));
  }
  for (const { close } of listeners) close();
});
