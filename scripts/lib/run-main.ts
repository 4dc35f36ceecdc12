/** Runs a command's main function; what goes wrong is told in one sentence, with the stack under `DEBUG`. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const told = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`\n${process.env["DEBUG"] ? told.stack : told.message}\n`);
    process.exit(1);
  }
}

/** Resolves with the first signal that asks to end; a second one ends at once. */
export function untilAskedToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, resolve);
  });
}
