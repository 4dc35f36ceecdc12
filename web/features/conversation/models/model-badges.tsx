import { Brain, Eye, type LucideIcon, Wrench, Zap } from "lucide-react";
import type { Model } from "#shared/entities/model.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { turboText } from "./model-facts.ts";

/** Marks a model that needs a plan. */
export function ProBadge() {
  return <Badge tone="signal">Pro</Badge>;
}

/** The turbo models' sign in a row; its meaning is in the tooltip and in the accessible name. */
export function TurboIcon({ model }: { model: Model }) {
  return (
    <Tooltip label={turboText(model)}>
      <span className="inline-flex shrink-0 text-ink2">
        <Zap aria-hidden className="size-14" />
        <span className="sr-only">Turbo</span>
      </span>
    </Tooltip>
  );
}

const ABILITIES: readonly { flag: "vision" | "tools" | "reasoning"; label: string; icon: LucideIcon }[] = [
  { flag: "vision", label: "Vision", icon: Eye },
  { flag: "tools", label: "Tools", icon: Wrench },
  { flag: "reasoning", label: "Reasoning", icon: Brain },
];

/** What a model can do, as badges. */
export function AbilityBadges({ model }: { model: Model }) {
  const able = ABILITIES.filter(({ flag }) => model[flag]);
  if (able.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-6">
      {able.map(({ flag, label, icon: Icon }) => (
        <li key={flag} className="flex">
          <Badge tone="accent" className="h-24 px-8">
            <Icon aria-hidden className="size-12" />
            {label}
          </Badge>
        </li>
      ))}
    </ul>
  );
}
