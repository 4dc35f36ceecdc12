import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type IntegrationRowProps = {
  icon: LucideIcon;
  name: string;
  /** How it stands, beside its name. */
  state?: ReactNode;
  description: ReactNode;
  /** What changes it. */
  children: ReactNode;
};

/** One service: what it is, how it stands, and what changes that, below it where there is little room. */
export function IntegrationRow({ icon: Icon, name, state, description, children }: IntegrationRowProps) {
  return (
    <div role="group" aria-label={name} className="flex flex-wrap items-center gap-x-12 gap-y-10 border-b border-line py-12">
      <span aria-hidden className="grid size-28 shrink-0 place-items-center rounded-8 bg-s3 text-ink2">
        <Icon className="size-16" />
      </span>
      <div className="min-w-0 flex-1 basis-200">
        <p className="flex flex-wrap items-center gap-8 text-14 font-medium text-ink">
          {name}
          {state}
        </p>
        <div className="mt-2 text-13 text-pretty text-ink2">{description}</div>
      </div>
      {children}
    </div>
  );
}
