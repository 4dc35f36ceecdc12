/** As much of a page as its bookmark hands over, in characters of the address: below what any server between takes. */
const HANDED_OVER = 6_000;

/**
 * The address of a bookmark that opens a new chat about the page it is pressed on: its title, its address and what is selected there
 * stand in the composer, and nothing is sent. A long selection is cut.
 */
export function bookmarklet(origin: string): string {
  const code = `(()=>{
let s=String(getSelection()).trim(),h=document.title.trim()+"\\n"+location.href+"\\n\\n",t,e;
do{t=h+(s&&s.replace(/^/gm,"> ")+"\\n\\n");try{e=encodeURIComponent(t)}catch(_){e=""}
if(e&&e.length<=${HANDED_OVER})break;if(s)s=s.slice(0,s.length*.9|0);else h=h.slice(0,h.length*.9|0)}while(s||h);
open(${JSON.stringify(`${origin}/new?prompt=`)}+(e||""),"_blank","noopener")})()`;
  return `javascript:${encodeURIComponent(code.replaceAll("\n", ""))}`;
}
