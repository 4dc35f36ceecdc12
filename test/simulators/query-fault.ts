import { createFaultCounter } from "./aggregator/faults.ts";

/** What a search can be made to fail with: an HTTP status, or no answer at all. */
export type QueryFault = "400" | "401" | "402" | "422" | "429" | "500" | "html" | "hang";

const FAULT = /\bfault (400|401|402|422|429|500|html|hang)\b(?: times (\d{1,3}))?/;

function isFault(name: string | undefined): name is QueryFault {
  return name !== undefined && FAULT.test(`fault ${name}`);
}

/** Reads `fault NAME` or `fault NAME times N` anywhere in what is asked; the second holds for the first N requests with that same text in one session. */
export function createQueryFaults(): (asked: string, session?: string | null) => QueryFault | null {
  const holds = createFaultCounter();
  return (asked, session = null) => {
    const [, name, times] = FAULT.exec(asked) ?? [];
    return isFault(name) && holds(`${session}\n${asked}`, times === undefined ? Infinity : Number(times)) ? name : null;
  };
}
