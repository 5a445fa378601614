// Tells a server that is away for a while from a fault of ours: the first is a 503 and worth a retry.
const CONNECTION_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);
/** SQLSTATE classes and codes of a PostgreSQL that is away, starting, stopping, failing over, full or too slow. */
const UNAVAILABLE_SQLSTATE = /^(08|57P0|57014|53|55000|25006|40001|40P01|55P03)/;
/** What the driver says without a code. */
const DRIVER_MESSAGES = /timeout exceeded when trying to connect|Connection terminated|not queryable/;

/** Somebody holds a lock for too long, or a statement takes too long: the server is there, this piece of work is stuck. */
export function isHeldUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['55P03', '57014'].includes(String(error.code));
}

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return CONNECTION_ERRORS.has(code) || UNAVAILABLE_SQLSTATE.test(code) || DRIVER_MESSAGES.test(error.message);
}

/** Whether it was committed is not known: worth another look, by its key (SQLSTATE "transaction resolution unknown"). */
export function unknownCommit(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: '08007' });
}
