import { describe, expect, test } from "vitest";
import { APP_NAME } from "#shared/app.ts";
import { ACCEPTED_FILES, FORMATS } from "#shared/attachment-rules.ts";
import { isThere, readDocuments } from "./architecture/documents.ts";
import { filesUnder, findCycles, findSiblingCircles, type Import, readSources, readText, type Source } from "./architecture/sources.ts";

const shared = readSources("shared");
const worker = readSources("worker");
const web = readSources("web");
const tests = readSources("test");
const scripts = readSources("scripts");
const all = [...shared, ...worker, ...web, ...tests, ...scripts];
/** All but this file, which names what it forbids. */
const others = all.filter(({ path }) => path !== "test/architecture.test.ts");

/** Every import that breaks a rule, as `file imports what`. */
function breaches(sources: Source[], isWrong: (found: Import, source: Source) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports.filter((found) => isWrong(found, source)).map(({ specifier }) => `${source.path} imports ${specifier}`),
  );
}

/** Every line that matches, as `file:line`. */
function places(sources: Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

/** What a module brings along that it does not load lazily. */
function loadedWith(entry: string, known: ReadonlyMap<string, Source>): Set<string> {
  const loaded = new Set<string>();
  const add = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { target, isLazy, isTypeOnly } of known.get(path)?.imports ?? []) if (target !== null && !isLazy && !isTypeOnly) add(target);
  };
  add(entry);
  return loaded;
}

/** The wings in the order in which they may be used: docs/architecture.md, The wings. */
const WINGS: Record<string, readonly string[]> = {
  worker: ["platform", "people", "library", "mail", "conversation", "integrations", "account", "doors"],
  "web/features": ["people", "library", "mail", "conversation", "integrations", "account", "shell"],
};

/** Imports of a wing that lead to a later one, or to the files that put all together. */
function leadingBack(root: string, sources: Source[]): string[] {
  const wings = WINGS[root] ?? [];
  const rank = (path: string) => {
    const [wing = "", ...rest] = path.slice(root.length + 1).split("/");
    return rest.length > 0 && wings.includes(wing) ? wings.indexOf(wing) : wings.length;
  };
  const ofRoot = sources.filter(({ path }) => isUnder(path, root));
  return breaches(ofRoot, ({ target }, { path }) => target !== null && isUnder(target, root) && rank(target) > rank(path));
}

function isUnder(path: string | null, ...folders: string[]): boolean {
  return path !== null && folders.some((folder) => path.startsWith(`${folder}/`));
}

describe("who may import whom", () => {
  test("shared imports nothing but itself and zod, and a markdown parser in markdown/", () => {
    const isParser = (name: string) => /^(micromark|mdast|katex)/.test(name);
    expect(
      breaches(shared, ({ specifier, target, isTypeOnly }, { path }) => {
        if (target !== null) return !isUnder(target, "shared");
        return !/^zod(\/mini)?$/.test(specifier) && !(isUnder(path, "shared/markdown") && (isParser(specifier) || isTypeOnly));
      }),
    ).toEqual([]);
  });

  test("the worker imports neither web nor tests, and the web neither worker nor tests, not even a type", () => {
    expect(breaches(worker, ({ target }) => target !== null && !isUnder(target, "worker", "shared"))).toEqual([]);
    expect(breaches(web, ({ target }) => target !== null && !isUnder(target, "web", "shared") && target !== "CHANGELOG.md")).toEqual([]);
  });

  test("a wing imports itself and those before it", () => {
    expect(leadingBack("worker", worker)).toEqual([]);
    expect(leadingBack("web/features", web)).toEqual([]);
  });

  test("folders that stand beside each other in a wing make no circle", () => {
    expect({ ...findSiblingCircles(worker, "worker"), ...findSiblingCircles(web, "web/features") }).toEqual({});
  });

  test("only db/ and queries.ts know drizzle", () => {
    const mayQuery = (path: string) => isUnder(path, "worker/platform/db") || path.endsWith("/queries.ts");
    expect(
      breaches(worker, ({ specifier, isTypeOnly }, { path }) => specifier.startsWith("drizzle") && !isTypeOnly && !mayQuery(path)),
    ).toEqual([]);
  });

  test("a feature calls another through its noun module, never its queries or routes", () => {
    const folder = (path: string) => path.slice(0, path.lastIndexOf("/"));
    expect(
      breaches(worker, ({ target }, { path }) => {
        if (target === null || path === "worker/app.ts") return false;
        return /\/(queries|routes)\.ts$/.test(target) && folder(target) !== folder(path);
      }),
    ).toEqual([]);
  });

  test("an object's inside is written only from its own folder: others come through rpc and stub", () => {
    const objectOf = (path: string) =>
      /^worker\/(?:conversation\/chat-room|conversation\/user-hub|platform\/rate-limiter|library\/passages\/passage-index)\//.exec(
        path,
      )?.[0];
    expect(
      breaches(worker, ({ target, isTypeOnly }, { path }) => {
        if (target === null || isTypeOnly || path === "worker/index.ts" || /\/(stub|rpc)\.ts$/.test(target)) return false;
        const object = objectOf(target);
        return object !== undefined && object !== objectOf(path);
      }),
    ).toEqual([]);
  });

  test("what takes long to evaluate comes when it is first needed, not with the Worker's start", () => {
    const isSlow = ({ target }: Import) =>
      [
        "worker/library/attachments/readers/pdfjs.ts",
        "worker/conversation/chat-room/room.ts",
        "worker/doors/docs/openapi.ts",
        "worker/doors/docs/page.ts",
      ].includes(target ?? "");
    const isAtStart = ({ path }: Source) => !isUnder(path, "worker/doors/docs") || path === "worker/doors/docs/routes.ts";
    const lazy = worker.filter(isAtStart).flatMap(({ imports }) => imports.filter(isSlow));
    expect(new Set(lazy.map(({ specifier }) => specifier)).size).toBe(4);
    expect(breaches(worker.filter(isAtStart), (found) => isSlow(found) && !found.isLazy && !found.isTypeOnly)).toEqual([]);
  });

  test("the Worker loads on its way by loadOnce alone: who waits for another request's loading goes on in its place", () => {
    const byName = /\bloadOnce\(async \(\) => \{\s*const \{[^}]*\} = await import\(/g;
    const features = worker
      .filter(({ path }) => path !== "worker/app.ts")
      .map((source) => ({ ...source, text: source.text.replace(byName, "loadOnce(() => import(") }));
    expect(places(features, /(?<!typeof |\bloadOnce\(\(\) => )\bimport\(/)).toEqual([]);
    // The table of contents has its routes loaded by mountLater, which does the same.
    const contents = worker.filter(({ path }) => path === "worker/app.ts");
    expect(places(contents, /(?<!\(await )\bimport\(/)).toEqual([]);
  });

  test("the Worker starts without what only some requests need", () => {
    const known = new Map([...worker, ...shared].map((source) => [source.path, source]));
    const atStart = loadedWith("worker/index.ts", known);
    expect(atStart.size).toBeGreaterThan(100);
    const later = [
      "shared/contracts/all.ts",
      "shared/markdown/parse.ts",
      "worker/jobs.ts",
      "worker/people/auth/sign-in.ts",
      "worker/conversation/chat-room/room.ts",
      "worker/tools.ts",
    ];
    expect(later.filter((path) => !known.has(path))).toEqual([]);
    expect(later.filter((path) => atStart.has(path))).toEqual([]);
    const topics = [
      "doors/admin",
      "people/invites",
      "people/teams",
      "library/library-file",
      "library/media",
      "library/share-links",
      "mail/chat-address",
      "conversation/public-page",
      "conversation/sharing",
      "conversation/team-usage",
    ].map((topic) => `worker/${topic}/routes.ts`);
    expect(topics.filter((path) => !known.has(path))).toEqual([]);
    expect(topics.filter((path) => atStart.has(path))).toEqual([]);
  });

  test("only worker/platform/clients/egress.ts, web/lib/api.ts and the service worker's network.ts reach out", () => {
    // Called, handed on as a value, or taken from the global object; not where a comment speaks of it.
    const bareFetch =
      /^(?!\s*(?:\/\/|\*)).*(?:(?<![.\w"'`])fetch\s*(?:\((?!request: Request\))|[,;}])|\b(?:globalThis|self|window)\.fetch\b)/;
    const callers = [
      ...worker.filter(({ path }) => path !== "worker/platform/clients/egress.ts"),
      ...web.filter(({ path }) => path !== "web/lib/api.ts" && path !== "web/service-worker/network.ts"),
    ];
    expect(places(callers, bareFetch)).toEqual([]);
    expect(places(worker, /"cloudflare:sockets"|new WebSocket\(/)).toEqual([]);
  });

  test("the web's layers point one way: routes, features, then lib and ui", () => {
    expect(
      breaches(web, ({ target }, { path }) => isUnder(path, "web/ui") && !isUnder(target ?? "web/ui/", "web/ui", "web/lib", "shared")),
    ).toEqual([]);
    expect(
      breaches(web, ({ target }, { path }) => isUnder(path, "web/lib") && isUnder(target, "web/features", "web/routes", "web/ui")),
    ).toEqual([]);
    expect(breaches(web, ({ target }, { path }) => isUnder(path, "web/features") && isUnder(target, "web/routes"))).toEqual([]);
    expect(breaches(web, ({ target }, { path }) => isUnder(path, "web/ui") && isUnder(target, "shared/contracts"))).toEqual([]);
  });

  test("the web takes calls and types from the contracts; a schema that it reads by stands in entities/, or the contract comes whole", () => {
    const taken = web.flatMap(({ path, text }) =>
      [...text.matchAll(/import \{([^}]*)\} from "#shared\/contracts\//g)].flatMap(([, names = ""]) =>
        names.split(",").flatMap((name) => (/^\s*[A-Z]/.test(name) ? [`${path}: ${name.trim()}`] : [])),
      ),
    );
    expect(taken).toEqual([]);
  });

  test("browser storage is reached through lib/storage.ts alone", () => {
    const keepers = web.filter(({ path }) => path !== "web/lib/storage.ts");
    expect(places(keepers, /\b(local|session)Storage\./)).toEqual([]);
  });

  test("a text is copied by lib/copy-text.ts alone, and what grows with its text does so without field-sizing too", () => {
    const copying = web.filter(({ path }) => path !== "web/lib/copy-text.ts");
    expect(places(copying, /clipboard\.write/)).toEqual([]);
    const growing = web.filter(({ text }) => text.includes("[field-sizing:content]"));
    expect(growing.filter(({ text }) => !text.includes("useAutosize(")).map(({ path }) => path)).toEqual([]);
  });

  test("the browser's own question is asked where the specification has it, a dialog of ours elsewhere", () => {
    const asking = web.filter(({ text }) => text.includes("window.confirm(")).map(({ path }) => path.slice(path.indexOf("features/") + 9));
    expect(asking.toSorted()).toEqual([
      "integrations/mcp/mcp-connections.tsx",
      "library/personas/personas-popup.tsx",
      "people/teams/member-list.tsx",
      "people/teams/team-pane.tsx",
    ]);
  });

  test("an object's one alarm is set by worker/platform/due-work/ alone, but for the rate limiter's", () => {
    const elsewhere = worker.filter(({ path }) => !/^worker\/platform\/(due-work|rate-limiter)\//.test(path));
    expect(places(elsewhere, /\.setAlarm\(/)).toEqual([]);
  });

  test("what outlives a request is a value: workerd lets nobody wait for a promise that another request or object began", () => {
    const keepers = worker.flatMap(({ path, text }) => {
      const types = [...text.matchAll(/^(?:export )?type (\w+)[^=\n]*= (\{\n[\s\S]*?\n\}|[^\n]*);$/gm)];
      const holding = ["Promise"];
      const isHolding = (said: string) =>
        holding.some((name) => new RegExp(`(?:\\w\\??:|[<,|]) ?(?:[\\w<>]+ \\| )*${name}(?!\\w)`).test(said));
      for (let known = 0; known < holding.length;) {
        known = holding.length;
        for (const [, name = "", body = ""] of types) if (!holding.includes(name) && isHolding(body)) holding.push(name);
      }
      const declarations = [...text.matchAll(/^(?:export )?(?:let|const) (\w+[^\n]*)$/gm)];
      return declarations.flatMap(([, said = ""]) => (!said.includes("=>") && isHolding(said) ? [`${path}: ${said}`] : []));
    });
    // Each is of one archive, which one message of a queue opens.
    expect(keepers).toEqual([
      "worker/account/imports/claude/memories.ts: read = new WeakMap<Archive, Promise<Memories>>();",
      'worker/account/imports/polylogue/import-folders.ts: read = new WeakMap<Importing["archive"], Promise<Indexed>>();',
    ]);
  });

  test("cryptography stands where the list of docs/security.md says", () => {
    const list = readText("docs/security.md");
    const uses =
      /\bcrypto\.(?:subtle|getRandomValues|DigestStream)\b|\b(?:SignJWT|jwtVerify|createRemoteJWKSet)\(|\bsignaturesOf\(|from "mailauth/;
    const files = [...worker, ...shared, ...web]
      .filter(({ path, text }) => !path.endsWith(".d.ts") && uses.test(text))
      .map(({ path }) => path);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((path) => !list.includes(`\`${path}\``))).toEqual([]);
    expect(breaches([...worker, ...shared, ...web], ({ specifier }) => /^(?:node:)?crypto$/.test(specifier))).toEqual([]);
  });

  test("text becomes markup only where a policy makes it", () => {
    const sinks = /(\.(innerHTML|outerHTML|srcdoc)\b|insertAdjacentHTML|dangerouslySetInnerHTML|srcDoc=)/;
    const makers = /^web\/features\/library\/markdown\/character-reference\.ts:/;
    expect(places(web, sinks).filter((place) => !makers.test(place))).toEqual([]);
  });

  test("nothing imports in a circle", () => {
    expect(findCycles(all)).toEqual([]);
  });

  test("no file only passes others on", () => {
    const isBarrel = ({ path, text }: Source) =>
      path !== "worker/platform/db/schema/index.ts" &&
      text.trim() !== "" &&
      text.split("\n").every((line) => line.trim() === "" || /^export .* from "/.test(line));
    expect(all.filter(isBarrel).map(({ path }) => path)).toEqual([]);
  });
});

describe("house style", () => {
  test("names of files and symbols are kebab-case and say what a file holds", () => {
    const paths = ["shared", "worker", "web", "test", "scripts"].flatMap(filesUnder).filter((path) => !path.startsWith("web/public/"));
    expect(
      paths.filter((path) => !path.endsWith("/README.md") && !/^([a-z0-9-]+\/)*[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)+$/.test(path)),
    ).toEqual([]);
    expect(
      paths.filter(
        (path) => /(^|[/-])(utils?|helpers?|common|managers?|services?(?!-worker))([-./]|$)/.test(path) && !path.startsWith("scripts/"),
      ),
    ).toEqual([]);
  });

  test("nothing is left for later, and no machine's paths are written down", () => {
    expect(places(others, /\b(TODO|FIXME|XXX|HACK)\b/)).toEqual([]);
    expect(places(others, /["'`\s(](\/(work|root|home|Users)\/\w|[A-Z]:\\Users)/)).toEqual([]);
  });

  test("the product's name is written down once; what cannot read it there says the same", () => {
    const named = [...shared, ...worker, ...web].filter(({ path }) => path !== "shared/app.ts");
    expect(places(named, new RegExp(`\\b${APP_NAME}\\b`))).toEqual([]);
    expect(readText("web/index.html")).toContain(`<title>${APP_NAME}</title>`);
    expect(JSON.parse(readText("web/public/manifest.webmanifest"))).toMatchObject({ name: APP_NAME, short_name: APP_NAME });
  });

  test("what others share with the installed app is what the message box takes", () => {
    const { share_target: target } = JSON.parse(readText("web/public/manifest.webmanifest"));
    const types = Object.values(FORMATS).map(({ type }) => type);
    expect(new Set(target.params.files[0].accept)).toEqual(new Set([...types, ...ACCEPTED_FILES.split(",")]));
  });

  test("tests wait for what happens, never for time to pass", () => {
    const sleeping = /waitForTimeout|\bsleep\(|await new Promise(<\w+>)?\(\(?(\w+)\)? => setTimeout\(\2\b/;
    expect(
      places(
        others.filter(({ path }) => /\.test\.tsx?$/.test(path)),
        sleeping,
      ),
    ).toEqual([]);
  });

  test("tests keep no snapshots and leave none out", () => {
    expect(places(others, /toMatch(Inline)?Snapshot|\b(test|it|describe)\.(only|skip|todo)\(/)).toEqual([]);
  });
});

test("the lock file names the packages of every system, or a clean install fails on some", () => {
  const lock: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } = JSON.parse(readText("package-lock.json"));
  const isLocked = (from: string, name: string): boolean => {
    if (lock.packages[`${from === "" ? "" : `${from}/`}node_modules/${name}`]) return true;
    if (from === "") return false;
    const outer = from.lastIndexOf("/node_modules/");
    return isLocked(outer === -1 ? "" : from.slice(0, outer), name);
  };
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

describe("documents", () => {
  const documents = readDocuments();

  test("documents link to and name only what is there", () => {
    const lost = documents.flatMap(({ path, links, named }) =>
      [...links, ...named].filter((place) => !isThere(place)).map((place) => `${path}: ${place}`),
    );
    expect(lost).toEqual([]);
  });

  test("every decision has a context, a decision and a consequence, and stands in the index under its title", () => {
    const decisions = documents.filter(({ path }) => /^docs\/decisions\/(?!README)/.test(path));
    expect(decisions.length).toBeGreaterThan(0);
    const index = readText("docs/decisions/README.md");
    const hasAllSections = (path: string) => /\*\*Context\.\*\*[^]*\*\*Decision\.\*\*[^]*\*\*Consequence\.\*\*/.test(readText(path));
    const isListed = (path: string, title: string) => index.includes(`- [${title}](${path.slice("docs/decisions/".length)})`);
    expect(decisions.filter(({ path, title }) => !hasAllSections(path) || !isListed(path, title)).map(({ path }) => path)).toEqual([]);
  });

  test("every decision says when it was taken, and whether it is in force or which one is instead", () => {
    const decisions = documents.filter(({ path }) => /^docs\/decisions\/(?!README)/.test(path));
    const dated = /^# .*\n\n\d{4}-\d\d-\d\d, (?:in force|replaced by \[.+\]\(.+\))\.\n/;
    expect(decisions.filter(({ path }) => !dated.test(readText(path))).map(({ path }) => path)).toEqual([]);
  });

  test("the table of ASVS's requirements names each once, a place for what holds, and a reason for what does not", () => {
    const rows = readText("docs/asvs.tsv")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t"));
    const ids = rows.map(([id]) => id ?? "");
    expect(ids.length).toBe(345);
    expect(new Set(ids).size).toBe(345);
    expect(ids.filter((id) => !/^V(?:[1-9]|1[0-7])(?:\.[1-9]\d?){2}$/.test(id))).toEqual([]);
    const wrong = rows.filter(([, level = "", verdict = "", why = "", ...rest]) => {
      const named =
        why.match(
          /\b(?:docs|migrations|scripts|shared|test|web|worker)\/[\w./-]*\w|\b(?:README\.md|package(?:-lock)?\.json|wrangler\.jsonc)/g,
        ) ?? [];
      const isComplete = /^[123]$/.test(level) && /^(?:pass|decided|n\/a|not yet)$/.test(verdict) && why.length > 4 && rest.length === 0;
      return !isComplete || (verdict === "pass" && named.length === 0) || !named.every(isThere);
    });
    expect(wrong.map(([id]) => id)).toEqual([]);
  });
});
