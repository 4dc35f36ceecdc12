import { createContext } from "react";

/** Who reads the shown chat, and whether they may write in it: a viewer sees no button that the server would refuse. */
export type Reading = { ownId: string | null; canWrite: boolean };

export const ReaderContext = createContext<Reading>({ ownId: null, canWrite: true });
