import type { PresentPerson } from "#shared/live-events.ts";

/** What is said of those who write: 'Ines is typing…', 'Ines and Jonas are typing…', '3 people are typing…'; empty for nobody. */
export function typingLine(people: readonly PresentPerson[], ownId: string | null): string {
  const names = people.filter(({ typing, user_id: id }) => typing && id !== ownId).map(({ display_name: name }) => name);
  if (names.length === 0) return "";
  if (names.length > 2) return `${names.length} people are typing…`;
  return `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} typing…`;
}
