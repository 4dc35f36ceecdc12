import { Component, type ReactNode } from "react";
import { reloadFromNetwork } from "#web/lib/reload-from-network.ts";
import { Button } from "./button.tsx";
import { TryAgain } from "./try-again.tsx";

type Props = {
  /** What broke, as a noun: 'This chat'. */
  what?: string;
  /** A change of it, e.g. of the address, tries again. */
  resetKey?: string;
  children: ReactNode;
};

type State = { error: unknown; resetKey: string | undefined };

/** One pane's boundary: what breaks inside leaves the rest of the window alone. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    const isMissing = isMissingChunk(this.state.error);
    return (
      <div role="alert" className="flex h-full min-h-160 flex-col items-center justify-center gap-12 p-24 text-center">
        <div>
          <h1 className="text-16 font-medium text-ink">
            {`${this.props.what ?? "This part"} could not be ${isMissing ? "loaded" : "shown"}`}
          </h1>
          <p className="mt-4 text-14 text-ink2">
            {isMissing
              ? "The connection broke, or there is a newer version. Reload to go on; what you wrote is kept."
              : "Something in it broke. What you wrote is kept."}
          </p>
        </div>
        <div className="flex gap-8">
          {!isMissing && <TryAgain size="md" onClick={() => this.setState({ error: null })} />}
          <Button variant={isMissing ? "primary" : "quiet"} onClick={() => void reloadFromNetwork()}>
            Reload
          </Button>
        </div>
      </div>
    );
  }
}

/** Whether code of the page did not come: the network failed, or a newer version took its place. */
function isMissingChunk(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|Importing a module script failed/i.test(error.message);
}
