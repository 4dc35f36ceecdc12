import { createContext, type ReactNode } from "react";

export type DriveButtonProps = {
  /** Null before the entry is saved. */
  entryId: string | null;
};

/** Draws the button that adds files of one's Drive to an entry; the shell provides it. */
export const DriveButtonContext = createContext<(props: DriveButtonProps) => ReactNode>(() => null);
