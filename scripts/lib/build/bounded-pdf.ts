import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type ESTree, normalizePath, parseSync, type Plugin, Visitor } from "vite";
import { inRoot } from "../paths.ts";
import { SPARSE } from "./sparse-pdf.ts";

const PDFJS = fileURLToPath(import.meta.resolve("unpdf/pdfjs"));
const BOUNDED = normalizePath(inRoot("worker", "library", "attachments", "readers", "pdfjs.ts"));
const METER = normalizePath(inRoot("worker", "library", "attachments", "readers", "pdf-meter.ts"));
/** Where a few bytes of a file ask for much at once: what must be counted, after these words of the code. */
const PLACES: Record<string, { counts: string; times: number }> = {
  // The longest text that a font may say a letter stands for is a book.
  "let g=s.unicode;": { counts: "g.length*64", times: 1 },
  // What pages show again and again.
  "let h=e.dict?.objId,g=new RefSet(p);": { counts: "p?32768:0", times: 1 },
  // Ranges of characters, and their widths.
  "mapCidRange(e,t,n){": { counts: "(t-e)*16", times: 2 },
  "mapBfRange(e,t,n){": { counts: "(t-e)*64", times: 2 },
  // Single characters, and the letters that they stand for.
  "mapOne(e,t){": { counts: 'typeof t=="string"?128:64', times: 2 },
  "let n=i.lookup(t);if(n){": { counts: "128", times: 1 },
  "let a=r.fetchIfRef(c[++e]);": { counts: "(n-t)*16", times: 1 },
  "if(!isNumberArray(a,null))continue;": { counts: "(i-t)*16", times: 1 },
};
/** Kept in any case: what brings messages, an error in which nobody would hear of. */
const UNCOUNTED = "LoopbackPort";
/** What a list's next entry counts, as in arrays made at once each has its byte. */
const PUSHED = 16;
const ARRAYS = /^(?:Array|ArrayBuffer|(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array)$/;
const HEAD = `import { countLoopTurn as pdfStep, claim as pdfClaim } from ${JSON.stringify(METER)};`;
/** What PDF.js is made to do in another way: what stands in its code, how often, and what stands there instead. */
const CHANGES: { from: string; to: string; times: number }[] = [
  ...SPARSE,
  // The platform's unpacking is not counted: PDF.js has its own, which it is made to use at once.
  { from: "get isAsync(){return this.#e}", to: "get isAsync(){return!1}", times: 2 },
  // Tables of characters (CMaps) are unpacked once for a document, and not once for each of its fonts, which may be hundreds ...
  {
    from: "let{cMapData:n,isCompressed:r}=await t(e),i=new CMap(!0);return r?",
    to: "let d=await t(e);if(d.unpacked)return d.unpacked;let{cMapData:n,isCompressed:r}=d,i=new CMap(!0);return d.unpacked=r?",
    times: 1,
  },
  // ... and so are the letters that the codes of one stand for; who adds letters takes a copy.
  {
    from: "a=[],o=[];return e.cMap.forEach(",
    to: "a=[],o=[],k=e.cMap instanceof IdentityCMap?0:e.cMap;i.letters??=new Map;if(i.letters.has(k))return new ToUnicodeMap(i.letters.get(k));return e.cMap.forEach(",
    times: 1,
  },
  {
    from: "}),new ToUnicodeMap(a)}return new IdentityToUnicodeMap",
    to: "}),i.letters.set(k,a),new ToUnicodeMap(a)}return new IdentityToUnicodeMap",
    times: 1,
  },
  { from: "return-1}amend(e){", to: "return-1}amend(e){pdfClaim(this._map.length*16);this._map=this._map.slice();", times: 1 },
  // Which shape is drawn for which letter takes more than all else of such a font, and nobody draws.
  { from: "n=[];this.toUnicode.forEach((t,r)=>{", to: "n=[];this.composite||this.toUnicode.forEach((t,r)=>{", times: 1 },
  { from: "&&this.toUnicode.forEach(function(t,n){e[+t]=n})", to: "", times: 1 },
];

/** Made once for all who ask, as it takes seconds. */
let bounded: Promise<string> | null = null;

/**
 * Puts limits into PDF.js, which has none: every turn of a loop and every array that it makes is counted by
 * worker/library/attachments/readers/pdf-meter.ts, so a PDF made to take for ever, or all memory, is given up.
 */
export function boundedPdf(): Plugin {
  return {
    name: "bounded-pdf",
    enforce: "pre",
    load: async (id) =>
      id === BOUNDED ? { moduleType: "js", code: await (bounded ??= readFile(PDFJS, "utf8").then(meter)), map: null } : null,
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
  for (const { from: words, times } of CHANGES) placesOf(code, words, times);
  return HEAD + CHANGES.reduce((changed, change) => changed.replaceAll(change.from, change.to), withInserts(code, inserts));
}

function placesOf(code: string, words: string, times: number): number[] {
  const places: number[] = [];
  for (let at = code.indexOf(words); at !== -1; at = code.indexOf(words, at + 1)) places.push(at);
  if (places.length !== times) throw new Error(`PDF.js is no more what scripts/lib/build/bounded-pdf.ts was made for: look for ${words}`);
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
