const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const CLOSING_MS = 5000;

/** Runs a command's main function; what goes wrong is reported in one sentence, with the stack under `DEBUG`. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  // Leaving by `exit` lets the local runtime end with this process.
  for (const signal of STOP_SIGNALS) process.on(signal, leave);
  try {
    await main();
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`\n${process.env["DEBUG"] ? failure.stack : failure.message}\n`);
    process.exit(1);
  }
}

/** Resolves with the first signal that asks to end. What a command then closes has a few seconds before it is cut off. */
export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      // npm and the terminal both pass a Ctrl-C on, so a second signal says nothing new.
      setTimeout(leave, CLOSING_MS).unref();
      resolve();
    };
    for (const signal of STOP_SIGNALS) process.off(signal, leave).on(signal, stop);
  });
}

function leave(): void {
  process.exit(130);
}
