// Verifies a document or an evidence file by the published keys alone: no database, no configuration, no network. It works on
// any machine that has this repository.
import { isSameDocument } from '../documents/same-document.ts';
import type { Statement } from '../evidence/rules/statement.ts';
import type { Evidence } from '../evidence/verification/read-evidence.ts';
import { verifier } from '../evidence/verification/verifier.ts';
import type { Finding, Verdict } from '../evidence/verification/verify-evidence.ts';
import { printableName } from '../lib/values/plain-text.ts';
import { type Answer, type Command, defineStandaloneCommand } from './command.ts';
import { loadFile, loadKeys } from './files.ts';
import { file, required } from './options.ts';
import { inWords, minute } from './print.ts';

/**
 * Paints the document again from what is attached to it. Undefined if this release cannot: another one has painted the
 * document.
 */
export type Repaint = (evidence: Evidence, statement: Statement) => Promise<Uint8Array | undefined>;

/** Whether the visible pages are the ones that this release paints from the data. */
type Pages = 'same' | 'different' | 'not-compared' | 'none';

async function comparePages(
  document: Buffer,
  evidence: Evidence,
  { verdict, statement }: Finding,
  repaint: Repaint | undefined,
): Promise<Pages> {
  if (evidence.form === 'json') return 'none';
  const painted = verdict === 'good' && statement ? await repaint?.(evidence, statement) : undefined;
  if (!painted) return 'not-compared';
  return isSameDocument(document, Buffer.from(painted)) ? 'same' : 'different';
}

/** The names come from the file, which may be hostile. */
const namesOf = ({ wrongFiles }: Finding) => inWords(wrongFiles.map(printableName));

const SENTENCES: Readonly<Record<Verdict, (finding: Finding) => string>> = {
  good: () => 'our key signed this data, and nothing of it has changed.',
  'statement-altered': () => 'ALTERED: the signature does not belong to the statement. Do not rely on this file.',
  'file-altered': (finding) =>
    `ALTERED: the statement is genuine, but not as it was signed: ${namesOf(finding)}. Do not rely on this file.`,
  'file-swapped': (finding) =>
    `SWAPPED: the statement is genuine, but it was signed for other files than ${namesOf(finding)}. They come from another report, or were all changed.`,
  'unknown-key': ({ kid }) =>
    `UNKNOWN KEY: the statement names the key ${printableName(kid ?? '')}, which is not in the file of --keys. Get the newest list, from an address that you know to be the service's.`,
  'revoked-key': ({ revokedAt, isSignedBeforeRevocation }) =>
    `REVOKED KEY: the data are unchanged, but the key was revoked at ${minute(new Date(revokedAt ?? 0))}. The statement says that it was signed ` +
    (isSignedBeforeRevocation
      ? 'before that. A thief of the key can write any time: only an audit anchor kept elsewhere before that instant proves it.'
      : 'after that. Do not rely on this file.'),
  'key-not-valid': () =>
    'KEY NOT IN USE: the data are unchanged, but the key was not in use at the time that the statement names. Do not rely on this file.',
};

/** A good file is called simply good only if its pages, where it has any, were compared too. */
const GOOD: Readonly<Record<Pages, string>> = {
  same: 'GOOD: ',
  none: 'GOOD: ',
  different: 'GOOD DATA, OTHER PAGES: ',
  'not-compared': 'GOOD DATA, PAGES NOT CHECKED: ',
};

const PAGES: Readonly<Record<Pages, string>> = {
  same: 'The visible pages are the ones that this data gives: they were compared byte by byte, packed parts unpacked.',
  different:
    'The visible pages are not the ones that this release paints from the data: they were altered, or another build painted them. The verification page can tell. Until then, rely on the data alone.',
  'not-compared':
    'The visible pages were not compared: a file with true data may show false pages. The verification page can tell whether exactly this file was issued.',
  none: 'This file has no pages.',
};

function describe({ evidenceId, creditReportId, completedAt, issuedAt, issuer, kid, isTest }: Statement): string {
  return [
    `Report ${creditReportId}${isTest ? ' (a test report: the accounts and figures are invented; the name and addresses are those of the request)' : ''}, completed ${completedAt}`,
    `Evidence ${evidenceId}, signed ${issuedAt} with the key ${kid}`,
    `Issuer ${issuer}`,
  ].join('\n');
}

export async function verifyFile(path: string, keysPath: string, repaint?: Repaint): Promise<Answer> {
  const keys = await loadKeys(keysPath);
  const document = await loadFile(path);
  let evidence: Evidence;
  try {
    evidence = await verifier.read(document);
  } catch (error) {
    const reason = (error as Error).message;
    const text = `NOT OURS: this is not a file as we issue it: ${reason}. It was altered, saved by another program, or is something else.`;
    return { text, data: { verdict: 'not-evidence', reason }, isAlarm: true };
  }
  const finding = await verifier.verify(evidence, keys);
  const { verdict, statement, statementSha256, kid, wrongFiles, revokedAt, isSignedBeforeRevocation } = finding;
  const isWhole = statement !== undefined && wrongFiles.length === 0;
  const pages = isWhole ? await comparePages(document, evidence, finding, repaint) : 'not-compared';
  const lines = [
    `${verdict === 'good' ? GOOD[pages] : ''}${SENTENCES[verdict](finding)}`,
    ...(isWhole ? [PAGES[pages]] : []),
    ...(statement ? [describe(statement)] : []),
  ];
  return {
    text: lines.join('\n'),
    data: {
      verdict: verdict === 'good' && pages === 'different' ? 'pages-altered' : verdict,
      pages,
      ...{ form: evidence.form, kid, statementSha256, wrongFiles, revokedAt, isSignedBeforeRevocation },
      statement: statement ?? null,
    },
    isAlarm: verdict !== 'good' || pages === 'different',
  };
}

/** `repaint` comes from the documents, which rank above the evidence. */
export function evidenceCommands(repaint?: Repaint): readonly Command[] {
  return [
    defineStandaloneCommand({
      noun: 'evidence',
      verb: 'verify',
      word: 'file',
      summary: 'Verify a document, or the evidence of a report, by the published keys.',
      notes:
        'It needs no database, no configuration and no network. FILE is a PDF that the service issued, or the JSON of\n' +
        'GET …/evidence. The keys are the file /.well-known/trefoil-evidence-keys.json of the service: get it from an address\n' +
        'that you know, not from the document. Exit codes: 0 good, 1 anything else, 2 not understood. 0 is about the data: where\n' +
        'another release painted the PDF, its pages are not compared, and the first line says so. With --json, verdict is good,\n' +
        'statement-altered, file-altered, file-swapped, unknown-key, revoked-key, key-not-valid, pages-altered or not-evidence,\n' +
        'and pages is same, different, not-compared or none.',
      options: {
        file: required(file, 'The document or the evidence; --file may be left out.'),
        keys: required(file, 'The published keys.'),
      },
      example: 'evidence verify report.pdf --keys trefoil-evidence-keys.json',
      runAlone: ({ file: path, keys }) => verifyFile(path, keys, repaint),
    }),
  ];
}

/** Loaded when it is needed: the painter and its fonts would delay every command. */
const repaintLater: Repaint = async (evidence, statement) => {
  const { repaint } = await import('../documents/repaint.ts');
  return repaint(evidence, statement);
};

export const EVIDENCE_COMMANDS = evidenceCommands(repaintLater);
