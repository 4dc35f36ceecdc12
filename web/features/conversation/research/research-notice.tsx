import { Telescope } from "lucide-react";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { PLANS, planOf } from "#shared/plans.ts";
import { estimateResearch } from "#shared/research/research.ts";
import { pickResearcher } from "#shared/research/researcher.ts";
import { useModels } from "#web/features/conversation/models/use-models.ts";
import { useSession } from "#web/features/people/session/use-session.ts";

/** What a research is likely to cost and take, said before it is sent: by its model and its bounds. */
export function ResearchNotice() {
  const { user } = useSession();
  const { data } = useModels();
  const model = pickResearcher(data?.models ?? [], {
    preferred: user?.preferred_model ?? null,
    allowlist: user?.model_allowlist ?? null,
    hasPro: user !== null && PLANS[planOf(user)].proModels,
  });
  if (!model) return <div className="mb-10 min-h-36" />;
  const { dollars, minutes } = estimateResearch(model.pricing);
  const cost = model.pricing ? `~$${dollars.toFixed(2)}` : `~$${dollars.toFixed(2)} for searches, and what the model costs`;
  return (
    <p
      role="note"
      aria-label="Deep Research"
      className="mb-10 flex min-h-36 items-center gap-10 rounded-12 bg-s3 px-12 py-8 text-13 text-ink2"
    >
      <Telescope aria-hidden className="size-16 shrink-0" />
      <span className="min-w-0">
        <span className="font-medium text-ink tabular-nums">{`${cost}, ${minutes.from}–${minutes.to} minutes`}</span>
        {` with ${nameWithoutVendor(model.name)}. Sending starts it; it goes on when you leave.`}
      </span>
    </p>
  );
}
