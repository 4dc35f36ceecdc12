import { Bookmark, Check, Copy } from "lucide-react";
import { useState } from "react";
import { useCopy } from "#web/lib/use-copy.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { LedgerLink } from "#web/ui/ledger.tsx";

const NAME = "Ask about this page";

/** The bookmark that asks about any page, and how it comes among the browser's bookmarks. */
export function BookmarkletRow() {
  const [isOpen, setIsOpen] = useState(false);
  const { state, copy } = useCopy();
  const address = bookmarklet(location.origin);
  // React writes no such address, as a page must never follow one: this link is there to be dragged.
  const makeDraggable = (link: HTMLAnchorElement | null) => {
    link?.setAttribute("href", address);
    link?.addEventListener("click", (event) => event.preventDefault());
  };
  return (
    <>
      <LedgerLink label={NAME} description="A bookmark that takes any page into a chat" value="Set up" onClick={() => setIsOpen(true)} />
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={NAME}
        subtitle="On any page, this bookmark opens a new chat with the page's title, its address and what you have selected in the message box. Nothing is sent before you do."
        width={520}
        footer={
          <>
            <Button className="mr-auto" onClick={() => copy(address)}>
              {state === "copied" ? <Check aria-hidden className="size-14" /> : <Copy aria-hidden className="size-14" />}
              {state === "copied" ? "Copied" : state === "failed" ? "Failed to copy" : "Copy its address"}
            </Button>
            <Button onClick={() => setIsOpen(false)}>Done</Button>
          </>
        }
      >
        <div className="space-y-12 text-14 text-ink2">
          <p>Drag this to your bookmarks bar:</p>
          <p>
            {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- its address is set above */}
            <a
              ref={makeDraggable}
              draggable
              className="inline-flex h-36 cursor-grab items-center gap-8 rounded-8 border border-line-strong bg-s2 px-14 text-13 font-medium text-ink touch:h-44"
            >
              <Bookmark aria-hidden className="size-16" />
              {NAME}
            </a>
          </p>
          <p>
            On a phone, bookmark any page, then edit that bookmark: paste the copied address in place of its own. A long selection is cut.
          </p>
        </div>
      </Dialog>
    </>
  );
}

/** As much of a page as its bookmark passes on, in characters of the address: below what any server between takes. */
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
