import { PersonasDialog } from "./personas-dialog.tsx";
import { closePersonas, usePersonasOpen } from "./personas-store.ts";

/** 'Manage Personas' for whoever opens it from the page: the picker and the palette. */
export function PersonasLayer() {
  return <PersonasDialog open={usePersonasOpen()} onOpenChange={(next) => !next && closePersonas()} />;
}
