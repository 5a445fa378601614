// The command line.
import { parseArgs } from 'node:util';
import { BEHAVIOURS, type Behaviours, parseBehaviours } from './behaviours.ts';
import { isDate } from './dates.ts';
import type { BureauName } from './people/lenders.ts';

export const HELP = `Stand-ins for three credit bureaus: real HTTP, invented people.

  node simulators/src/main.ts [--bureau albion|beacon|cygnet|all] [options]

  --bureau NAME      which one (default: all, each on a port of its own)
  --port N           first port; all three take N, N+1, N+2 (default 0: any free ones)
  --json             print one JSON line with addresses and credentials when ready
  --seed TEXT        other people (default: trefoil)
  --as-of DATE       the files' today, YYYY-MM-DD (default: 2026-06-01)
  --latency MS       how long a quiet answer takes (default: 2)
  --simulate LIST    behaviours of every enquiry, such as 'slow=500, unknown-codes'
  --realistic        latencies and fault rates like the real world's, seeded
  --help             this text

Behaviours: ${BEHAVIOURS.join(', ')}.
The wires, the people and the control endpoint are described in simulators/WIRE.md.
`;

export type RunOptions = {
  readonly bureaus: readonly BureauName[];
  readonly port: number;
  readonly isJson: boolean;
  readonly seed: string;
  readonly asOf: string;
  readonly latencyMs: number;
  readonly always: Behaviours;
  readonly isRealistic: boolean;
};

export type Parsed =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | { readonly kind: 'run'; readonly options: RunOptions };

const BUREAUS: readonly BureauName[] = ['albion', 'beacon', 'cygnet'];

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
        realistic: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    const bureaus = BUREAUS.filter((bureau) => values.bureau === 'all' || values.bureau === bureau);
    if (bureaus.length === 0) return wrong(`--bureau must be one of ${BUREAUS.join(', ')}, all`);
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_533) return wrong('--port must be 0 to 65533');
    if (!/^\d{1,6}$/.test(values.latency)) return wrong('--latency must be milliseconds');
    if (!isDate(values['as-of'])) return wrong('--as-of must be a date, YYYY-MM-DD');
    return {
      kind: 'run',
      options: {
        bureaus,
        port: Number(values.port),
        isJson: values.json,
        seed: values.seed,
        asOf: values['as-of'],
        latencyMs: Number(values.latency),
        always: parseBehaviours(values.simulate),
        isRealistic: values.realistic,
      },
    };
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

const wrong = (problem: string): Parsed => ({ kind: 'wrong', problem });
