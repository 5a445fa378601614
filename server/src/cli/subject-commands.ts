// The operator's commands for a person's rights: find, export and erase what one company holds of a consumer, and erase again
// after a restore. Who the person is comes from a file: words of a command line are seen by other users and kept in histories.
import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import type { ExportedSubject, SubjectRequest } from '@trefoil/contract';
import type { Config } from '../config.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { isAdultDate } from '../lib/values/calendar.ts';
import { isPersonName } from '../lib/values/plain-text.ts';
import { normalisePostcode } from '../lib/values/postcode.ts';
import type { EraseDependencies } from '../subjects/erase-subject.ts';
import type { Asker } from '../subjects/find-subject.ts';
import type { ReceiptVerdict, SignedReceipt } from '../subjects/receipt.ts';
import type { ReplayOutcome } from '../subjects/replay-erasures.ts';
import { type Answer, defineCommand, defineStandaloneCommand, Refusal } from './command.ts';
import { loadKeys, loadText, saveFile } from './files.ts';
import { withVault } from './open-vault.ts';
import { file, keyIds, optional, required, tenantRef } from './options.ts';
import { minute, table } from './print.ts';
import { requireTenant } from './require-found.ts';

/** An operator can wait until all older reports of a company have been looked at. */
const WAIT_MS = 3_600_000;
const PERSON =
  'A file with {"firstName", "lastName", "dateOfBirth": "YYYY-MM-DD", "postcode"} as JSON; /dev/stdin to pipe it in.';
const PERSON_NOTES =
  'Case, accents, spaces and hyphens of names do not matter, and every address of the person counts. The audit log of the company\n' +
  'gets a row without the person.';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** No message repeats what the file holds. */
async function loadPerson(path: string): Promise<SubjectRequest> {
  const given = (parse(await loadText(path, 'person')) ?? {}) as Partial<Record<keyof SubjectRequest, unknown>>;
  const textOf = (name: keyof SubjectRequest) => (typeof given[name] === 'string' ? String(given[name]).trim() : '');
  const [firstName, lastName, dateOfBirth] = [textOf('firstName'), textOf('lastName'), textOf('dateOfBirth')];
  const postcode = normalisePostcode(textOf('postcode'));
  const faults = [
    ...([['firstName', isPersonName(firstName)]] as const),
    ...([['lastName', isPersonName(lastName)]] as const),
    ...([['dateOfBirth', isAdultDate(dateOfBirth, new Date())]] as const),
    ...([['postcode', postcode !== undefined]] as const),
  ].flatMap(([name, isGood]) => (isGood ? [] : [name]));
  if (faults.length > 0 || postcode === undefined) {
    throw new Refusal(`The file of --person is not right: ${faults.join(', ')}. ${PERSON}`);
  }
  return { firstName, lastName, dateOfBirth, postcode };
}

async function withSubjects<T>(
  database: Database,
  config: Config,
  work: (dependencies: EraseDependencies) => Promise<T>,
): Promise<T> {
  const { createSubjectDependencies } = await import('../subjects/open-subjects.ts');
  try {
    return await withVault(database, config, (vault) =>
      work(createSubjectDependencies(config, { database, vault, now: () => new Date() })),
    );
  } catch (error) {
    // A key service that is away, a report that runs: the sentence is for clients, and fits here too.
    if (error instanceof ServiceError) throw new Refusal(error.message);
    throw error;
  }
}

const asOperator = (tenantId: string): Asker => ({ tenantId, actor: 'operator', isTestOnly: false });
const plural = (count: number) => `${count.toLocaleString('en-GB')} ${count === 1 ? 'report' : 'reports'}`;

const who = {
  tenant: required(tenantRef, 'The company.'),
  person: required(file, PERSON),
};

const findCommand = defineCommand({
  noun: 'subject',
  verb: 'find',
  summary: 'Find the reports of a consumer in one company, by name, birth date and postcode.',
  notes: PERSON_NOTES,
  options: who,
  example: "subject find --tenant 'Larkfield Claims' --person person.json",
  async run(database, { tenant: tenantId, person }, { config }) {
    const subject = await loadPerson(person);
    await database.asSystem((tx) => requireTenant(tx, tenantId));
    const { findSubject } = await import('../subjects/find-subject.ts');
    const found = await withSubjects(database, config, (dependencies) =>
      findSubject(dependencies, asOperator(tenantId), subject, WAIT_MS),
    );
    const lines = found.reports.map(({ creditReportId, status, test, createdAt }) => [
      ...[creditReportId, status, test ? 'test' : 'live', minute(new Date(createdAt))],
    ]);
    const text = found.total === 0 ? 'Nothing is held.' : table(['REPORT', 'STATUS', 'MODE', 'REQUESTED'], lines);
    const more = found.total > lines.length ? `\n${plural(found.total)} in all; the newest are listed.` : '';
    return { text: `${text}${more}`, data: found };
  },
});

/** Page by page, newest first. */
async function* exportPages(dependencies: EraseDependencies, tenantId: string, subject: SubjectRequest) {
  const { exportSubject } = await import('../subjects/export-subject.ts');
  const options = { format: 'json', withinMs: WAIT_MS } as const;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = cursor === undefined ? subject : { ...subject, cursor };
    const page: ExportedSubject = await exportSubject(dependencies, asOperator(tenantId), asked, options);
    yield page;
    cursor = page.nextCursor;
  }
}

/** Report by report: all of them together may be larger than a text can be. */
async function* writeHeld(facts: object, pages: AsyncIterable<ExportedSubject>) {
  yield `${JSON.stringify(facts, null, 2).slice(0, -2)},\n  "reports": [`;
  let separator = '';
  for await (const { reports } of pages) {
    for (const report of reports) {
      yield `${separator}\n    ${JSON.stringify(report, null, 2).replaceAll('\n', '\n    ')}`;
      separator = ',';
    }
  }
  yield '\n  ]\n}\n';
}

async function paintPdf(tenantName: string, exported: ExportedSubject): Promise<Uint8Array> {
  // Loaded when it is needed: the painter and its fonts would delay every export without a document.
  const { paint } = await import('../documents/painter.worker.ts');
  return paint({ subject: { tenantName, exported, preparedAt: new Date().toISOString() }, format: 'pdf' });
}

const exportCommand = defineCommand({
  noun: 'subject',
  verb: 'export',
  summary: 'Write everything that a company holds of a consumer into a file, as JSON and as PDF.',
  notes: `${PERSON_NOTES}\nThe files must not exist yet; only you may read them. The PDF has the newest 10\nreports, and of each list in them the first 100 lines; the JSON has all.`,
  options: {
    ...who,
    out: required(file, 'The file for the JSON.'),
    pdf: optional(file, 'A file for the PDF.'),
  },
  example: "subject export --tenant 'Larkfield Claims' --person person.json --out held.json --pdf held.pdf",
  async run(database, { tenant: tenantId, person, out, pdf }, { config }) {
    const subject = await loadPerson(person);
    const tenant = await database.asSystem((tx) => requireTenant(tx, tenantId));
    return withSubjects(database, config, async (dependencies): Promise<Answer> => {
      // Of it the document is made.
      let first: ExportedSubject | undefined;
      let written = 0;
      async function* pages() {
        for await (const page of exportPages(dependencies, tenantId, subject)) {
          first ??= page;
          written += page.reports.length;
          yield page;
        }
      }
      const facts = { tenantId, tenantName: tenant.name, exportedAt: new Date().toISOString() };
      await saveFile(out, 'out', writeHeld(facts, pages()));
      if (written === 0 || !first) {
        await unlink(out);
        return { text: 'Nothing is held. No file was written.', data: { reports: 0 } };
      }
      if (pdf !== undefined) await saveFile(pdf, 'pdf', await paintPdf(tenant.name, first));
      return { text: `Wrote ${plural(written)}.`, data: { reports: written } };
    });
  },
});

const eraseCommand = defineCommand({
  noun: 'subject',
  verb: 'erase',
  summary: 'Erase what a company holds of a consumer, with a signed receipt.',
  notes:
    `${PERSON_NOTES}\nRefused while a report of the person is in progress or waits for a code. It can be repeated: a receipt over no report\n` +
    'says that nothing is held. Lines of the statement stay, as the law wants, and the receipt names them. Backups from before\n' +
    "still have the reports: keep 'subject erasures --json' beside them, and see docs/operate/privacy.md. It has all receipts, also those\n" +
    'of a run that failed in the middle.',
  options: { ...who, out: optional(file, 'A file for the receipts, which must not exist yet.') },
  example: "subject erase --tenant 'Larkfield Claims' --person person.json --out receipt.json --yes",
  preview: async () => 'Every report that this company has of the person is erased.',
  async run(database, { tenant: tenantId, person, out }, { config, tell }) {
    const subject = await loadPerson(person);
    await database.asSystem((tx) => requireTenant(tx, tenantId));
    const { eraseSubject } = await import('../subjects/erase-subject.ts');
    const receipts: SignedReceipt[] = [];
    let erased = 0;
    if (out !== undefined && existsSync(out)) throw new Refusal('The file of --out exists. Nothing was erased.');
    await withSubjects(database, config, async (dependencies) => {
      for (let remaining = 1; remaining > 0; ) {
        const done = await eraseSubject(dependencies, asOperator(tenantId), subject, WAIT_MS);
        receipts.push({ receipt: done.receipt, signature: done.signature, kid: done.kid });
        erased += done.erased;
        remaining = done.remaining;
        if (remaining > 0) tell(`Erased ${plural(erased)}; ${remaining.toLocaleString('en-GB')} are left.`);
      }
    });
    if (out !== undefined) await saveFile(out, 'out', `${JSON.stringify(receipts, null, 2)}\n`);
    const text = erased === 0 ? 'Nothing is held. The receipt says so.' : `Erased ${plural(erased)}.`;
    return { text, data: { erased, receipts } };
  },
});

const erasuresCommand = defineCommand({
  noun: 'subject',
  verb: 'erasures',
  summary: 'List the receipts of all erasures, to keep them beside the backups.',
  notes:
    'With --json it prints the receipts, which hold ids, counts and times. After a restore from an older backup, give that file\n' +
    "to 'subject replay'. Make it after every erasure, or at least with every backup.",
  options: { tenant: optional(tenantRef, 'Only those of this company.') },
  example: 'subject erasures --json',
  async run(database, { tenant: tenantId }) {
    const { listReceipts } = await import('../subjects/replay-erasures.ts');
    const receipts = await listReceipts(database, tenantId);
    const lines = receipts.map(({ receipt }) => {
      const { erasureId, tenantId: company, erasedAt, creditReportIds } = JSON.parse(receipt);
      return [erasureId, company, minute(new Date(erasedAt)), String(creditReportIds.length)];
    });
    const none = 'Nothing was erased so far.';
    return { text: lines.length === 0 ? none : table(['ERASURE', 'TENANT', 'WHEN', 'REPORTS'], lines), data: receipts };
  },
});

const isSigned = (value: unknown): value is SignedReceipt => {
  const { receipt, signature, kid } = (value ?? {}) as Partial<Record<keyof SignedReceipt, unknown>>;
  return [receipt, signature, kid].every((each) => typeof each === 'string');
};

/** Receipts as every command and the API write them: a list, one alone, or the whole answer of the API. */
function readReceipts(text: string): SignedReceipt[] {
  const document = parse(text);
  const { data, receipts } = (document ?? {}) as { data?: unknown; receipts?: unknown };
  const list = [document, receipts, data].find(Array.isArray) ?? [isSigned(document) ? document : data];
  if (!list.every(isSigned)) {
    throw new Refusal(
      "The file holds no receipts as 'subject erase', 'subject erasures --json' or the API write them.",
    );
  }
  return list;
}

const OUTCOMES: Readonly<Record<ReplayOutcome['kind'], string>> = {
  'erased-again': 'erased again',
  'nothing-left': 'nothing was left to erase',
  running: 'NOT ERASED: a report was restored in the middle of its work. Run the command again in some minutes',
  'unknown-company': 'the database has no such company',
  'revoked-key': 'NOT ERASED: the key that signed it is revoked',
  'not-signed': 'REFUSED: no valid key of TREFOIL_EVIDENCE_KEYS signed it',
};

const replayCommand = defineCommand({
  noun: 'subject',
  verb: 'replay',
  word: 'file',
  summary: 'After a restore: erase again what was erased after the backup.',
  notes:
    "FILE is what 'subject erasures --json' wrote. Run it before the restored service takes requests. It can be repeated; it\n" +
    'exits with 1 until everything is erased. A receipt that no key of TREFOIL_EVIDENCE_KEYS signed erases nothing.\n' +
    'A thief of a revoked key can forge receipts: accept the key only for a file that only you could change.',
  options: {
    file: required(file, 'The receipts; --file may be left out.'),
    'accept-revoked': optional(keyIds, 'Ids of revoked keys whose receipts in this file you trust.'),
  },
  example: 'subject replay /mnt/backups/erasures.json --yes',
  preview: async () => 'Every report that the receipts name is erased.',
  async run(database, { file: path, 'accept-revoked': acceptedKids = [] }, { config }) {
    const receipts = readReceipts(await loadText(path, 'file'));
    const [{ replayErasures }, { publish }] = await Promise.all([
      import('../subjects/replay-erasures.ts'),
      import('../evidence/evidence-keys.ts'),
    ]);
    const outcomes = await withSubjects(database, config, (dependencies) =>
      replayErasures(dependencies, { keys: publish(config.evidenceKeys), acceptedKids }, receipts),
    );
    const lines = outcomes.map((outcome) => [
      'erasureId' in outcome ? outcome.erasureId : '(not read)',
      `${OUTCOMES[outcome.kind]}${'kid' in outcome ? `: ${outcome.kid}. --help says when to accept it` : ''}`,
    ]);
    const isAlarm = outcomes.some(({ kind }) => kind === 'running' || kind === 'revoked-key' || kind === 'not-signed');
    const text = lines.length === 0 ? 'The file holds no receipt.' : table(['ERASURE', 'OUTCOME'], lines);
    return { text, data: outcomes, isAlarm };
  },
});

const VERDICTS: Readonly<Record<ReceiptVerdict, string>> = {
  good: 'GOOD: our key signed this receipt, and nothing of it has changed.',
  altered: 'ALTERED: the signature does not belong to the receipt. Do not rely on it.',
  'unknown-key': 'UNKNOWN KEY: the receipt names a key that is not in the file of --keys. Get the newest list.',
  'revoked-key':
    'REVOKED KEY: the receipt is unchanged, but its key was revoked. A thief of the key can write any time.',
  'key-not-valid': 'KEY NOT IN USE: the key was not in use at the time that the receipt names. Do not rely on it.',
};

const verifyCommand = defineStandaloneCommand({
  noun: 'subject',
  verb: 'verify',
  word: 'file',
  summary: 'Verify the receipt of an erasure by the published keys.',
  notes:
    'It needs no database, no configuration and no network. The keys are the file /.well-known/trefoil-evidence-keys.json of the\n' +
    'service. Exit codes: 0 good, 1 anything else. With --json, verdict is good, altered, unknown-key, revoked-key or key-not-valid.',
  options: {
    file: required(file, 'The receipt, or a list of receipts; --file may be left out.'),
    keys: required(file, 'The published keys.'),
  },
  example: 'subject verify receipt.json --keys trefoil-evidence-keys.json',
  async runAlone({ file: path, keys: keysPath }) {
    const keys = await loadKeys(keysPath);
    const receipts = readReceipts(await loadText(path, 'file'));
    const { verifyReceipt } = await import('../subjects/receipt.ts');
    const findings = receipts.map((signed) => verifyReceipt(signed, keys));
    const texts = findings.map(({ verdict, receipt }) => {
      if (!receipt) return VERDICTS[verdict];
      const { erasureId, erasedAt, creditReportIds, kept } = receipt;
      return [
        VERDICTS[verdict],
        `Erasure ${erasureId} of ${plural(creditReportIds.length)}, ${erasedAt}.`,
        `Lines of the statement that stay, by number: ${kept.statementLines.join(', ') || 'none'}.`,
      ].join('\n');
    });
    return { text: texts.join('\n\n'), data: findings, isAlarm: findings.some(({ verdict }) => verdict !== 'good') };
  },
});

export const SUBJECT_COMMANDS = [
  ...[findCommand, exportCommand, eraseCommand],
  ...[erasuresCommand, replayCommand, verifyCommand],
];
