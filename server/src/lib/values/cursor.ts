// The end of a page, as an opaque token for the next request. It holds a position and nothing else: the tenant and
// the filters come from the request itself, so an invented cursor reveals nothing new.
import { ServiceError } from '../errors.ts';

export function writeCursor(position: string): string {
  return Buffer.from(position).toString('base64url');
}

export const badCursor = () =>
  new ServiceError('validation-error', 'The query is not valid; details lists what to correct.', {
    details: [{ path: '/query/cursor', message: 'Send nextCursor of the previous page, unchanged.' }],
  });

/** The position; throws unless `isPosition` accepts it. */
export function readCursor(cursor: string, isPosition: (text: string) => boolean): string {
  const position = Buffer.from(cursor, 'base64url').toString();
  if (isPosition(position) && writeCursor(position) === cursor) return position;
  throw badCursor();
}
