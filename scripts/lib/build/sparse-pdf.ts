type Change = { from: string; to: string; times: number };

/** Pieces of 64 KB of a large file that are in memory, and those that are fetched at once: 12 MB and 2 MB. */
const KEPT = 192;
const AT_ONCE = 32;
/** What keeps the pieces, gives up the oldest, and puts a range together. A piece that is gone is missing, and asked for again. */
const METHODS = `keep(a,b){for(let c=0;c<a.length;c+=this.chunkSize){pdfStep();let d=(b+c)/this.chunkSize;this.pieces.delete(d);this.pieces.set(d,a.slice(c,c+this.chunkSize))}for(let c of this.pieces.keys()){if(this.pieces.size<=${KEPT})break;this.pieces.delete(c);this._loadedChunks.delete(c)}}byteAt(a){pdfStep();let b=this.pieces.get(Math.floor(a/this.chunkSize));if(!b)throw new MissingDataException(a,a+1);return b[a%this.chunkSize]}range(a,b){if(a>=b)return new Uint8Array(0);let c=this.chunkSize,d=new Uint8Array(pdfClaim(b-a));for(let e=a;e<b;){pdfStep();let f=this.pieces.get(Math.floor(e/c));if(!f)throw new MissingDataException(a,b);let g=f.subarray(e%c,Math.min(c,e%c+b-e));d.set(g,e-a);e+=g.length}return d}`;

/**
 * What makes PDF.js read a large file by ranges without ever having all of it: its own way keeps what was fetched in one array as long as
 * the file. Pictures, which hold no text, are not fetched, and a file that could only be read by looking through all of it is given up.
 */
export const SPARSE: readonly Change[] = [
  { from: "_loadedChunks=new Set;constructor(e,t,n){super(", to: "_loadedChunks=new Set;constructor(a,t,n){let e=0;super(", times: 1 },
  {
    from: ",0,e,null),this.chunkSize=t,this.numChunks=Math.ceil(e/t)",
    to: ",0,a,null),this.pieces=new Map,this.chunkSize=t,this.numChunks=Math.ceil(a/t)",
    times: 1,
  },
  {
    from: "r!==this.bytes.length)throw Error(`Bad end offset: ${r}`);this.bytes.set(",
    to: "r!==this.end)throw Error(`Bad end offset: ${r}`);this.keep(",
    times: 1,
  },
  {
    from: "(e>=this.progressiveDataLength&&this.ensureByte(e),this.bytes[this.pos++])",
    to: "(e=this.byteAt(e),this.pos++,e)",
    times: 1,
  },
  {
    from: "this.ensureRange(t,n),this.pos=n,this.bytes.subarray(t,n)}",
    to: "this.ensureRange(t,n),e=this.range(t,n),this.pos=n,e}",
    times: 1,
  },
  {
    from: "this.ensureRange(e,t),this.bytes.subarray(e,t)}makeSubStream(",
    to: "this.ensureRange(e,t),this.range(e,t)}makeSubStream(",
    times: 1,
  },
  {
    from: "t?e+t>this.progressiveDataLength&&this.ensureRange(e,e+t):",
    to: 't?n?.getRaw("Subtype")?.name!=="Image"&&e+t>this.progressiveDataLength&&this.ensureRange(e,e+t):',
    times: 1,
  },
  {
    from: "getBaseStreams(){return[this]}},ChunkedStreamManager=class{",
    to: `getBaseStreams(){return[this]}${METHODS}},ChunkedStreamManager=class{`,
    times: 1,
  },
  { from: "requestAllChunks(e=!1){if(!e){", to: "requestAllChunks(e=!1){e||pdfClaim(1/0);if(!e){", times: 1 },
  { from: "r>=0&&r+1!==a&&(", to: `r>=0&&(r+1!==a||a-n>=${AT_ONCE})&&(`, times: 1 },
  {
    from: "if(r instanceof BaseStream){let e=r.getBaseStreams();if(e){let i=!1;",
    to: 'if(r instanceof BaseStream&&r.dict?.getRaw("Subtype")?.name!=="Image"){let e=r.getBaseStreams();if(e){let i=!1;',
    times: 1,
  },
  { from: ",await this.xref.stream.manager.requestAllChunks();return}t.push(", to: ";continue}t.push(", times: 1 },
  {
    from: "new Uint8Array(e.bytes.buffer,e.start,e.end-e.start);i.update(t)",
    to: "e.pieces?e.getByteRange(e.start,e.end):new Uint8Array(e.bytes.buffer,e.start,e.end-e.start);i.update(t)",
    times: 1,
  },
];
