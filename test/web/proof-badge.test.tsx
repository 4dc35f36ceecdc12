import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ProofBadge } from "#web/features/mail/mails/proof-badge.tsx";

it("the badge of a stranger's proven mail is not green, as proven is not known", () => {
  const toneOf = (isProven: boolean, isKnown: boolean) =>
    /\bbg-(\w+)/.exec(renderToStaticMarkup(<ProofBadge isProven={isProven} isKnown={isKnown} text="DKIM pass" />))?.[1];
  expect([toneOf(true, true), toneOf(true, false), toneOf(false, true), toneOf(false, false)]).toEqual([
    "accent",
    "s3",
    "signal",
    "signal",
  ]);
});
