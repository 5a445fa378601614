// Structured logs by allow-list: only the fields declared here can be written, whatever a caller passes. Bodies, URLs,
// error messages and anything about a consumer have no field, so they cannot be logged by mistake.
import { type DestinationStream, pino } from 'pino';
import { currentSpan } from './request-scope.ts';
import { traceFields } from './traces/span.ts';

const FIELDS = [
  'requestId',
  'method',
  'route',
  'status',
  'code',
  'timeMs',
  'tenantId',
  'callerId',
  'endpointId',
  'address',
  'metricsAddress',
  'errorName',
  'errorCode',
  'stack',
  'job',
  'pool',
  'count',
  'setting',
  'nearest',
  'kid',
  // By the names of OpenTelemetry: tools that join logs and traces look for them.
  'trace_id',
  'span_id',
] as const;

export type LogFields = Partial<Record<(typeof FIELDS)[number], string | number | undefined>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // The level's name: pino's numbers mean nothing outside pino.
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = destination ? pino(options, destination) : pino(options);
  const pick = (given: LogFields) => {
    const fields = { ...traceFields(currentSpan()), ...given };
    return Object.fromEntries(FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
  };
  return {
    debug: (event, fields = {}) => logger.debug(pick(fields), event),
    info: (event, fields = {}) => logger.info(pick(fields), event),
    warn: (event, fields = {}) => logger.warn(pick(fields), event),
    error: (event, fields = {}) => logger.error(pick(fields), event),
  };
}

/** What may be logged of an error: its kind and where it arose. Messages can quote values, so they are left out. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const code = 'code' in error ? String(error.code) : undefined;
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return { errorName: error.name, errorCode: code, stack: frames?.slice(0, 12).join('\n') };
}
