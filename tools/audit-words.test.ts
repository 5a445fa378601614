// The console says every action of the audit log in words. It may not import the server, so they are compared here.
import { expect, test } from 'vitest';
import { sentenceOf } from '../console/src/format/audit-words.ts';
import { AUDIT_ACTIONS } from '../server/src/audit/rules/audit-action.ts';

test.each(AUDIT_ACTIONS)('%s has words', (action) => {
  expect(sentenceOf({ action, details: {} })).not.toBe(action);
});
