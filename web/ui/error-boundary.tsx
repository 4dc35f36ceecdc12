import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";

type Props = {
  /** What broke, as a noun: 'This chat'. */
  what?: string;
  /** A change of it, e.g. of the address, tries again. */
  resetKey?: string;
  children: ReactNode;
};

/** One pane's boundary: what breaks inside leaves the rest of the window alone. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.error !== null && before.resetKey !== this.props.resetKey) this.setState({ error: null });
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    const stale = isMissingChunk(this.state.error);
    return (
      <div role="alert" className="flex h-full min-h-160 flex-col items-center justify-center gap-12 p-24 text-center">
        <div>
          <p className="text-16 font-medium text-ink">
            {stale ? "A new version is ready" : `${this.props.what ?? "This part"} could not be shown`}
          </p>
          <p className="mt-4 text-14 text-ink2">
            {stale
              ? "This page is older than the server. Reload to go on; your drafts are kept."
              : "Something in it broke. What you wrote is kept."}
          </p>
        </div>
        <div className="flex gap-8">
          {!stale && <Button onClick={() => this.setState({ error: null })}>Try again</Button>}
          <Button variant={stale ? "primary" : "quiet"} onClick={() => window.location.reload()}>
            Reload
          </Button>
        </div>
      </div>
    );
  }
}

/** True when a part of the page was gone from the server: a newer version took its place. */
function isMissingChunk(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|Importing a module script failed/i.test(error.message);
}
