// The command line.
import { parseArgs } from 'node:util';
import { BEHAVIOURS, type Behaviours, parseBehaviours } from './behaviours.ts';
import { isDate } from './dates.ts';
import type { BureauName } from './people/lenders.ts';

export const HELP = `Stand-ins for three credit bureaus, a screening provider, an SMS carrier, a mail server and two key services: real
HTTP and SMTP, invented people.

  npm run simulators -- [--bureau all|albion|beacon|cygnet|screening|carrier|mail|aws-kms|vault-transit] [options]

  --bureau NAMES     which of them, with commas between (default: all, each on a port of its own)
  --port N           first port; those that run take N, N+1, … in the order above, mail two (default 0: any free ones)
  --json             print one JSON line with addresses and credentials when ready
  --seed TEXT        other people (default: trefoil)
  --as-of DATE       the files' today, YYYY-MM-DD (default: 2026-06-01)
  --latency MS       how long a quiet answer takes (default: 2)
  --simulate LIST    behaviours of every enquiry at a bureau, such as 'slow=500, unknown-codes'
  --keep DIR         aws-kms and vault-transit keep their keys in this folder (default: in memory alone)
  --until-eof        ends with standard input too: for a program that starts it and may be killed
  --realistic        the bureaus' latencies and fault rates like the real world's, seeded
  --help             this text

Behaviours: ${BEHAVIOURS.join(', ')}.
The carrier delivers to an inbox that a browser shows at /inbox; the last three digits of a number from +447700900000
to +447700900999 choose what becomes of a message.
The mail server takes mail for anybody and sends none on; a browser shows it at /inbox too.
The key services encrypt for real with keys of their own; credentials are in the JSON line.
The wires, the people and the control endpoints are described in simulators/WIRE.md.
`;

/** In the order of their ports. */
const SIMULATORS = [
  'albion',
  'beacon',
  'cygnet',
  'screening',
  'carrier',
  'mail',
  'aws-kms',
  'vault-transit',
] as const satisfies readonly (BureauName | 'screening' | 'carrier' | 'mail' | 'aws-kms' | 'vault-transit')[];

export type SimulatorName = (typeof SIMULATORS)[number];

export type RunOptions = {
  readonly names: readonly SimulatorName[];
  readonly port: number;
  readonly isJson: boolean;
  readonly seed: string;
  readonly asOf: string;
  readonly latencyMs: number;
  readonly always: Behaviours;
  readonly isRealistic: boolean;
  /** The folder where the key services keep their keys. */
  readonly keep: string | undefined;
  /** Ends with its standard input, so never after the program that holds the other end. */
  readonly isUntilEof: boolean;
};

export type Parsed =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | { readonly kind: 'run'; readonly options: RunOptions };

/** Consecutive from the first, two of them for mail; 0 for any free ones. */
export function portsFrom(first: number, names: readonly SimulatorName[]): readonly number[] {
  const before = (place: number) => place + (names.slice(0, place).includes('mail') ? 1 : 0);
  return names.map((_, place) => (first === 0 ? 0 : first + before(place)));
}

/** Leaves room for all of them. */
const PORT_MAX = 65_535 - SIMULATORS.length;

export function parseOptions(args: readonly string[]): Parsed {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        bureau: { type: 'string', default: 'all' },
        port: { type: 'string', default: '0' },
        json: { type: 'boolean', default: false },
        seed: { type: 'string', default: 'trefoil' },
        'as-of': { type: 'string', default: '2026-06-01' },
        latency: { type: 'string', default: '2' },
        simulate: { type: 'string', default: '' },
        keep: { type: 'string' },
        realistic: { type: 'boolean', default: false },
        'until-eof': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    const names = readNames(values.bureau);
    if (names === undefined) return wrong(`--bureau must be one or more of ${SIMULATORS.join(', ')}, or all`);
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > PORT_MAX)
      return wrong(`--port must be 0 to ${PORT_MAX}`);
    if (!/^\d{1,6}$/.test(values.latency)) return wrong('--latency must be milliseconds');
    if (values.keep === '') return wrong('--keep must be a folder');
    if (!isDate(values['as-of'])) return wrong('--as-of must be a date, YYYY-MM-DD');
    return {
      kind: 'run',
      options: {
        names,
        port: Number(values.port),
        isJson: values.json,
        seed: values.seed,
        asOf: values['as-of'],
        latencyMs: Number(values.latency),
        always: parseBehaviours(values.simulate),
        isRealistic: values.realistic,
        keep: values.keep,
        isUntilEof: values['until-eof'],
      },
    };
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

/** Undefined when a name is unknown. */
function readNames(text: string): readonly SimulatorName[] | undefined {
  if (text === 'all') return SIMULATORS;
  const wanted = text.split(',').map((name) => name.trim());
  if (wanted.some((name) => !SIMULATORS.some((known) => known === name))) return undefined;
  return SIMULATORS.filter((name) => wanted.includes(name));
}

const wrong = (problem: string): Parsed => ({ kind: 'wrong', problem });
