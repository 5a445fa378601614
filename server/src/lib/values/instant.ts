// Instants as text: a calendar date, meaning its midnight in UTC, or an ISO 8601 date and time with its offset. A time
// without an offset is refused: its zone is unknown.
import { isCalendarDate } from './calendar.ts';

const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

export function parseInstant(text: string): Date | undefined {
  const date = INSTANT.exec(text)?.[1] ?? text;
  if (!isCalendarDate(date)) return undefined;
  const instant = new Date(text);
  // An offset can move a date past the ends of the calendar, which the database does not support.
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9_999 ? instant : undefined;
}
