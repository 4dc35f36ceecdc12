import type { ComponentType } from "react";
import { closeManage, type Managed, useManage } from "./manage-store.ts";
import type { ManageProps } from "./pane.ts";

/** A 'Manage' dialog for whoever opens it from the page. */
export function ManageLayer({ what, Dialog }: { what: Managed; Dialog: ComponentType<ManageProps> }) {
  const { open, start } = useManage(what);
  return <Dialog open={open} onOpenChange={(next) => !next && closeManage(what)} start={start} />;
}
