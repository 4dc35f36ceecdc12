/** How the message of a database's query begins that failed; the statement and all its values follow. */
const FAILED_QUERY = "Failed query: ";

/** True for an error whose message holds a query's values. Known by the message, as errors lose their class between objects. */
export function isFailedQuery({ message }: Error): boolean {
  return message.includes(FAILED_QUERY);
}
