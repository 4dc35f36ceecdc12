import type { ReactNode } from "react";
import { TryAgain } from "./try-again.tsx";

type SidebarNoticeProps = { title: string; text: ReactNode; retry?: () => void; children?: ReactNode };

/** What a list of the sidebar says when it has no rows to show. */
export function SidebarNotice({ title, text, retry, children }: SidebarNoticeProps) {
  return (
    <div role={retry ? "alert" : undefined} className="px-20 py-16">
      <p className="text-14 font-medium text-ink">{title}</p>
      <p className="mt-2 text-13 text-ink2">{text}</p>
      {retry && <TryAgain className="mt-12" onClick={retry} />}
      {children}
    </div>
  );
}
