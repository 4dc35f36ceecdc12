import { useEffect } from "react";
import { APP_NAME } from "#shared/app.ts";

let title: string | null = null;
let count = "";

function show(): void {
  document.title = count + (title ? `${title} · ${APP_NAME}` : APP_NAME);
}

export function usePageTitle(next: string | null): void {
  useEffect(() => {
    title = next;
    show();
  }, [next]);
}

/** Puts a count before the tab's name, whatever is open: `(3) `; empty for none. */
export function useTitleCount(next: string): void {
  useEffect(() => {
    count = next;
    show();
  }, [next]);
}
