import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type ESTree, normalizePath, parseSync, type Plugin, Visitor } from "vite";
import { inRoot } from "./paths.ts";

const PDFJS = fileURLToPath(import.meta.resolve("unpdf/pdfjs"));
const BOUNDED = normalizePath(inRoot("worker", "attachments", "pdfjs.ts"));
const METER = normalizePath(inRoot("worker", "attachments", "pdf-meter.ts"));
/** Where a few bytes of a file ask for much at once: what is to be counted, after these words of the code. */
const PLACES: Record<string, { counts: string; times: number }> = {
  // The longest text that a font may say a letter stands for is a book.
  "let g=s.unicode;": { counts: "g.length*64", times: 1 },
  // What pages show again and again.
  "let h=e.dict?.objId,g=new RefSet(p);": { counts: "p?32768:0", times: 1 },
  // Ranges of characters, and their widths.
  "mapCidRange(e,t,n){": { counts: "(t-e)*16", times: 2 },
  "mapBfRange(e,t,n){": { counts: "(t-e)*64", times: 2 },
  "let a=r.fetchIfRef(c[++e]);": { counts: "(n-t)*16", times: 1 },
  "if(!isNumberArray(a,null))continue;": { counts: "(i-t)*16", times: 1 },
};
/** Kept in any case: what brings messages, an error in which nobody would hear of. */
const UNCOUNTED = "LoopbackPort";
/** What a list's next entry counts, as in arrays made at once each has its byte. */
const PUSHED = 16;
const ARRAYS = /^(?:Array|ArrayBuffer|(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array)$/;
const HEAD = `import { step as pdfStep, claim as pdfClaim } from ${JSON.stringify(METER)};`;
/** The platform's unpacking is not counted: PDF.js has its own, which it is made to use at once. */
const NATIVE = "get isAsync(){return this.#e}";
const OWN = "get isAsync(){return!1}";

/**
 * Puts limits into PDF.js, which has none: every turn of a loop and every array that it makes is counted by
 * worker/attachments/pdf-meter.ts, so that a PDF made to take for ever, or all memory, is given up.
 */
export function boundedPdf(): Plugin {
  return {
    name: "bounded-pdf",
    enforce: "pre",
    load: async (id) => (id === BOUNDED ? { moduleType: "js", code: meter(await readFile(PDFJS, "utf8")), map: null } : null),
  };
}

/** The module's code with a call in every loop and around the length of every array. */
export function meter(code: string): string {
  const inserts: { at: number; text: string }[] = [];
  const from = code.indexOf(`${UNCOUNTED}=class{`);
  const to = code.indexOf("=class", from + UNCOUNTED.length + 1);
  const insert = (at: number, text: string) => {
    if (at < from || at > to) inserts.push({ at, text });
  };
  const countTurns = ({ body }: { body: ESTree.Statement }) => {
    if (body.type === "BlockStatement") return insert(body.start + 1, "pdfStep();");
    insert(body.start, "{pdfStep();");
    insert(body.end, "}");
  };
  const countEntries = ({ callee, arguments: [length, ...more] }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type === "MemberExpression" && !callee.computed && callee.property.name === "push" && length?.type !== "SpreadElement") {
      if (!length) return;
      insert(length.start, `(pdfClaim(${PUSHED}),`);
      return insert(length.end, ")");
    }
    if (callee.type !== "Identifier" || !ARRAYS.test(callee.name) || !length || more.length > 0) return;
    if (length.type === "Literal" || length.type === "SpreadElement") return;
    insert(length.start, "pdfClaim(");
    insert(length.end, ")");
  };
  new Visitor({
    ForStatement: countTurns,
    ForInStatement: countTurns,
    ForOfStatement: countTurns,
    WhileStatement: countTurns,
    DoWhileStatement: countTurns,
    NewExpression: countEntries,
    CallExpression: countEntries,
  }).visit(parseSync("pdfjs.mjs", code).program);
  for (const [words, { counts, times }] of Object.entries(PLACES)) {
    for (const at of placesOf(code, words, times)) insert(at + words.length, `pdfClaim(${counts});`);
  }
  placesOf(code, NATIVE, 2);
  return HEAD + withInserts(code, inserts).replaceAll(NATIVE, OWN);
}

function placesOf(code: string, words: string, times: number): number[] {
  const places: number[] = [];
  for (let at = code.indexOf(words); at !== -1; at = code.indexOf(words, at + 1)) places.push(at);
  if (places.length !== times) throw new Error(`PDF.js is no more what scripts/lib/bounded-pdf.ts was made for: look for ${words}`);
  return places;
}

function withInserts(code: string, inserts: { at: number; text: string }[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { at, text } of inserts.toSorted((one, other) => one.at - other.at)) {
    pieces.push(code.slice(done, at), text);
    done = at;
  }
  return pieces.join("") + code.slice(done);
}
