/** A time of day by 24 hours: `9:05`. Composed, as browsers differ in the zero before an hour of one digit. */
export function clockTime({ hour, minute }: { hour: number; minute: number }): string {
  return `${hour}:${String(minute).padStart(2, "0")}`;
}
