// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts to replace are parts of templates.
// Faults to plant in the servers' copy, as data: each is a mistake about crashes that a developer could make, and the run
// must notice every one of them.
import type { Breakage } from '../breakages/breakages.ts';

/** A breakage of tools/breakages/ without the fields that only its kit needs. */
type Plant = Pick<Breakage, 'id' | 'sentence' | 'edits'>;

const REPORTS = 'server/src/credit-reports';

const ALL: readonly Plant[] = [
  {
    id: 'charge-abandoned',
    sentence: 'a report whose worker died is charged although nobody got it',
    edits: [
      {
        file: `${REPORTS}/rules/settlement.ts`,
        find: "failed: { status: 'failed', money: 'void', firstSend: 'void', events: ['report.failed'] },",
        replace: "failed: { status: 'failed', money: 'capture', firstSend: 'void', events: ['report.failed'] },",
      },
    ],
  },
  {
    id: 'keep-hold',
    sentence: 'the message of a report that ends otherwise stays held',
    edits: [
      {
        file: `${REPORTS}/live/settle-money.ts`,
        find: "if (firstSend === 'void' && report.firstSendId !== null) {",
        replace: "if (firstSend === 'void' && report.firstSendId !== null && settlement.fence !== undefined) {",
      },
    ],
  },
  {
    id: 'no-sweep',
    sentence: 'nobody ends the reports of a dead worker',
    edits: [
      {
        file: `${REPORTS}/live/live-store.ts`,
        find: "where state = 'open' and expires_at < statement_timestamp() and kind = 'report'",
        replace: "where state = 'open' and expires_at < statement_timestamp() and kind = 'nothing'",
      },
    ],
  },
  {
    id: 'do-it-again',
    sentence: 'a request in progress is begun anew when it is sent again',
    edits: [
      {
        file: 'server/src/idempotency/claim-keys.ts',
        find: "{ kind: 'replayed', reference: row.answer } : { kind: 'in-progress' };",
        replace: "{ kind: 'replayed', reference: row.answer } : { kind: 'claimed' };",
      },
    ],
  },
  {
    id: 'free-every-key',
    sentence: 'a key is free as soon as its request was answered, whatever the answer',
    edits: [
      {
        file: 'server/src/idempotency/store.ts',
        find: 'or (kept.route = ${GENERATE_ROUTE} and report_frees_its_key(kept.tenant_id, credit_report_id)) as "isVoid"',
        replace: 'or (kept.route = ${GENERATE_ROUTE} and answer is not null) as "isVoid"',
      },
      {
        file: 'server/src/idempotency/store.ts',
        find: 'report_frees_its_key(kept.tenant_id, kept.credit_report_id)))',
        replace: 'kept.answer is not null))',
      },
    ],
  },
  {
    id: 'ask-again',
    sentence: 'a report whose worker died is asked for at the bureaus once more',
    edits: [
      {
        file: `${REPORTS}/jobs.ts`,
        find: "async (key) =>\n      isSettled(await queue.settle({ ...key, from: 'pending', actor: 'system', outcome, mayHaveKey: true }, WITHIN_MS)),",
        replace: `async (key) => {
      const person = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09', searchType: 'pcp', addresses: [] };
      const ask = (globalThis as { ask?: (id: string, request: unknown) => Promise<unknown> }).ask;
      await ask?.(key.creditReportId, { ...person, bureaus: ['equifax', 'experian', 'transunion'] });
      return isSettled(await queue.settle({ ...key, from: 'pending', actor: 'system', outcome, mayHaveKey: true }, WITHIN_MS));
    },`,
      },
      {
        file: 'server/src/open-live.ts',
        find: 'const background = database.jobs;',
        replace: 'const background = database.jobs;\n  Object.assign(globalThis, { ask: fetchReport });',
      },
    ],
  },
  {
    id: 'submit-again',
    sentence: 'a message whose submitter died is submitted once more',
    edits: [
      {
        file: `${REPORTS}/messages/sms-store.ts`,
        find: "where sms_sends.tenant_id = ${tenantId} and sms_sends.id = ${sendId} and state = 'queued'",
        replace:
          "where sms_sends.tenant_id = ${tenantId} and sms_sends.id = ${sendId} and state in ('queued', 'submitted')",
      },
      {
        file: `${REPORTS}/messages/sms-store.ts`,
        find: "where state = 'queued' and sent_at < statement_timestamp() - interval '2 seconds'",
        replace:
          "where state in ('queued', 'submitted') and carrier_ref is null and sent_at < statement_timestamp() - interval '2 seconds'",
      },
    ],
  },
  {
    id: 'thank-first',
    sentence: 'a receipt is acknowledged before it is stored',
    edits: [
      {
        file: `${REPORTS}/messages/receive-receipt.ts`,
        find: 'await receipts.take(carrier, reading.receipt);',
        replace: 'setTimeout(() => void receipts.take(carrier, reading.receipt), 50);',
      },
    ],
  },
  {
    id: 'forget-key',
    sentence: 'the client of a dead worker never learns how its request ended',
    edits: [
      {
        file: `${REPORTS}/jobs.ts`,
        find: "from: 'pending', actor: 'system', outcome, mayHaveKey: true",
        replace: "from: 'pending', actor: 'system', outcome, mayHaveKey: false",
      },
    ],
  },
];

export const PLANTS: readonly Breakage[] = ALL.map((plant) => ({ ...plant, breaks: plant.sentence, rows: /./ }));
