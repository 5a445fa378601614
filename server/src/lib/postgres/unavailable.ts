// Separates a temporarily unavailable server from our own errors: the first is a 503 and worth a retry.
const CONNECTION_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);
/** SQLSTATE classes and codes of a PostgreSQL that is unreachable, starting, stopping, failing over, full or too slow. */
const UNAVAILABLE_SQLSTATE = /^(08|57P0|57014|53|55000|25006|40001|40P01|55P03)/;
/** The driver's messages for errors without a code. */
const LOST_MESSAGES = /Connection terminated|not queryable/;
/** All connections of our pool are in use; the server is not the cause. */
const FULL_MESSAGE = /timeout exceeded when trying to connect/;
/** For a connection that we cut because its request had run out of time. */
export const CUT_OFF = 'ECANCELED';

/** A lock is held too long, or a statement takes too long: the server is up, this piece of work is stuck. */
export function isHeldUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['55P03', '57014'].includes(String(error.code));
}

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    isConnectionLost(error) || code === CUT_OFF || UNAVAILABLE_SQLSTATE.test(code) || FULL_MESSAGE.test(error.message)
  );
}

/** SQLSTATE of a server that is unreachable, stopping, failing over or full: no client can write to it. */
const LOST_SQLSTATE = /^(08|57P0|53|25006)/;

/** The connection or the server failed; none of our locks or statements is the cause. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return CONNECTION_ERRORS.has(code) || LOST_SQLSTATE.test(code) || LOST_MESSAGES.test(error.message);
}

/** We cut the connection ourselves: the server may have received what we sent. */
export function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === CUT_OFF;
}

/** SQLSTATE "read only sql transaction". */
const READ_ONLY = '25006';

export function standby(): Error {
  return Object.assign(new Error('the database takes no writes: it is a standby'), { code: READ_ONLY });
}

export function isStandby(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READ_ONLY;
}

/** SQLSTATE "transaction resolution unknown". */
const UNKNOWN = '08007';

/** It is not known whether the transaction was committed: worth another look-up, by its key. */
export function unknownCommit(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: UNKNOWN });
}

export function isUnknownCommit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNKNOWN;
}
