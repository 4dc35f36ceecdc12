/** The keys of requests whose answer has not arrived, or not for sure: made again, they carry the same one and have their effect once. */
const unanswered = new Map<string, string>();

/** The Idempotency-Key for a request, named by its address and body: a new one, or that of the try whose answer was lost. */
export function repeatKey(request: string): string {
  const key = unanswered.get(request) ?? crypto.randomUUID();
  unanswered.set(request, key);
  return key;
}

/** Notes that a request's answer is known: the same request later is another one. */
export function forgetRepeatKey(request: string): void {
  unanswered.delete(request);
}
