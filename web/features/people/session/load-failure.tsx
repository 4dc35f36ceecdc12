import { serverMessage } from "#web/lib/api.ts";

/** Says that something of one's account could not be loaded, and below it what the server said, if anything. */
export function LoadFailure({ text, error }: { text: string; error: Error | null }) {
  const serverText = serverMessage(error);
  return (
    <span role="alert" className="block min-w-0 flex-1">
      {text}
      {serverText !== null && <span className="block">{serverText}</span>}
    </span>
  );
}
