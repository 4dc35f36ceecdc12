const found: string[] = [];

/** Notes that the Worker did what the platform does not let it do, for a test to fail by, whoever catches the error. */
export function violation(sentence: string): Error {
  found.push(sentence);
  const error = new Error(`Against the strict platform: ${sentence}.`);
  // A browser's tests fail by what the Worker's log holds.
  // oxlint-disable-next-line no-console
  console.error(error.message);
  return error;
}

/** What was noted since the last time. */
export function takeViolations(): string[] {
  return found.splice(0);
}
