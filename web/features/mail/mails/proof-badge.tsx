import { Check } from "lucide-react";
import { Badge } from "#web/ui/badge.tsx";

/** Whether a mail is from where it says. Green only of somebody known: that an address is proven says nothing of whose it is. */
export function ProofBadge({ isProven, isKnown, text }: { isProven: boolean; isKnown: boolean; text: string }) {
  if (!isProven) return <Badge tone="signal">{text}</Badge>;
  return (
    <Badge tone={isKnown ? "accent" : "neutral"}>
      <Check aria-hidden className="size-12" />
      {text}
    </Badge>
  );
}
