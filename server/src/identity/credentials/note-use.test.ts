// Uses are written some time after the requests that they are of: what is logged then belongs to none of them.
import { expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { newId } from '../../lib/ids.ts';
import { createLog } from '../../lib/log.ts';
import { openDatabase } from '../../lib/postgres/database.ts';
import { inScope } from '../../lib/request-scope.ts';
import { createTracer } from '../../lib/traces/tracer.ts';
import { createUseNotes } from './note-use.ts';

test('a use that cannot be written is logged without the trace of the request that noted it', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const url = 'postgres://nobody@127.0.0.1:1/nothing';
  const database = openDatabase({
    ...{ appUrl: url, systemUrl: url, appConnections: 3, systemConnections: 2 },
    onConnectionError: () => log.warn('database connection lost'),
  });
  const notes = createUseNotes(database, log);
  const span = createTracer({ ratio: 1, callers: 'link', tells: [], record: () => undefined }).placeOf(newId());
  inScope({ deadlineMs: performance.now() + 5_000, span }, () => {
    log.info('in the request');
    notes.note(newId());
  });
  await eventually(() => expect(lines).toHaveLength(3));
  await notes.close();
  await database.close();
  const traced = lines.map((line) => JSON.parse(line)).map(({ msg, trace_id }) => [msg, trace_id !== undefined]);
  expect(traced).toEqual([
    ['in the request', true],
    ['database connection lost', false],
    ['last use not noted', false],
  ]);
});
