// Whether the installation is fit, as text for a terminal or as data for a program.
import { ConfigError } from '../config/read-settings.ts';
import type { Examination } from '../doctor/examine-installation.ts';
import type { Result } from '../doctor/run-checks.ts';
import { type Answer, defineLoadingCommand } from './command.ts';

const WORDS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL', skip: 'skip' } as const;
const WIDTH_MIN = 60;
const WIDTH_MAX = 120;

/** Breaks between words; a word that is longer than a line stays whole, so that it can be copied. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function printCheck({ name, status, reason, todo, see }: Result, nameWidth: number, width: number): string {
  const indent = ' '.repeat(6 + nameWidth + 2);
  const wrapped = (text: string) => wrap(text, width - indent.length);
  const advice = status === 'ok' ? [] : [...(todo ? wrapped(`-> ${todo}`) : []), ...(see ? [`   ${see}`] : [])];
  const body = [...wrapped(reason), ...advice];
  return `${WORDS[status]}  ${name.padEnd(nameWidth)}  ${body.join(`\n${indent}`)}`;
}

/** The verdict comes last: it is what stays on the screen. */
export function printExamination({ isFit, counts, checks }: Examination, columns = 80): string {
  const width = Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, columns)) - 1;
  const nameWidth = Math.max(...checks.map(({ name }) => name.length));
  const failed = checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  const sum = `${counts.ok} ok, ${counts.warn} warned, ${counts.fail} failed, ${counts.skip} skipped`;
  const verdict = isFit ? `Fit: ${sum}.` : `NOT FIT: ${sum}. Failed: ${failed.join(', ')}.`;
  return [...checks.map((check) => printCheck(check, nameWidth, width)), '', ...wrap(verdict, width)].join('\n');
}

const toAnswer = (examination: Examination): Answer => ({
  text: printExamination(examination, process.stdout.columns),
  data: examination,
  isAlarm: !examination.isFit,
});

export const DOCTOR_COMMANDS = [
  defineLoadingCommand({
    noun: 'doctor',
    summary: 'Say whether this installation is fit: database, keys, clocks, providers, jobs, backups.',
    notes:
      'It changes nothing, sends no mail and asks no bureau about anybody. It needs the settings of the worker. To see the\n' +
      'state of standbys the role trefoil_system needs pg_read_all_stats; otherwise TREFOIL_OWNER_DATABASE_URL shows it, which\n' +
      'the command "trefoil" of the systemd units never passes. Without either, the check replication is skipped and says so.\n' +
      'Of open alarms it sees those of the ledger and the audit log, and what waits, was given up or is past its deletion; it\n' +
      'reads no metrics of processes.\n' +
      'Every check ends within 8 seconds, ledger and mail within 20. Exit codes: 0 fit, perhaps with warnings; 1 a check failed;\n' +
      '2 not understood. With --json, isFit and counts, and for each of checks: name, status (ok, warn, fail, skip),\n' +
      'reason, todo, see and timeMs.',
    options: {},
    example: 'doctor',
    async runLoading(load) {
      // Loaded when it is needed: it reaches most of the service.
      const { concludeUnreadable, examineInstallation } = await import('../doctor/examine-installation.ts');
      try {
        return toAnswer(await examineInstallation(await load()));
      } catch (error) {
        if (error instanceof ConfigError) return toAnswer(concludeUnreadable(error.message));
        throw error;
      }
    },
  }),
];
