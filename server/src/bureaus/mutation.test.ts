// Twenty thousand damaged replies, or as many as TREFOIL_TEST_MUTATIONS says: no reader throws, every outcome is what the
// port promises, no account number gets through, and no reply that still contains accounts becomes a shorter or an empty list.
import { beforeAll, describe, expect, test } from 'vitest';
import { enquiryFor, startSimulators, type Wire } from '../../test/support/simulators.ts';
import { type Asked, toAsked } from './asked.ts';
import { type BureauLine, type BureauReply, openLine } from './call-bureau.ts';
import type { ReadOutcome } from './port.ts';
import { READERS } from './read-reply.ts';
import { createAdapter } from './registry.ts';
import { checkReading } from './testing/check-outcome.ts';
import { type Mutant, mutate } from './testing/mutate.ts';
import { createRandom } from './testing/random.ts';

const MUTATIONS = Number(process.env['TREFOIL_TEST_MUTATIONS'] ?? 20_000);
const SEED = 20_260_601;
const PEOPLE = 8;
const BEHAVIOURS = ['', 'unknown-codes', 'duplicate-rows=same', 'unmasked', 'pick-list, poll', 'no-trace', 'error'];
const LIMIT_MS = Math.max(120_000, MUTATIONS * 4);

type Sample = { readonly reply: BureauReply; readonly asked: Asked };
/** What a reader may return besides an outcome: the intermediate steps. */
const STEPS = ['pick-list', 'pending', 'unauthenticated'];
type Reading =
  | ReadOutcome
  | { readonly kind: 'pick-list' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unauthenticated' };
const isOutcome = (reading: Reading): reading is ReadOutcome => !STEPS.includes(reading.kind);

const FORMATS = { albion: 'xml', beacon: 'json', cygnet: 'json' } as const;
/** Text that occurs once in every account of the wire and nowhere else: counted without the readers' help. */
const ACCOUNT_MARKS = {
  albion: /<acct[ >]|<[a-z0-9]+ ref="/g,
  beacon: /"k":"[^"]*","loc":"[^"]*","typ":/g,
  cygnet: /"handle":"[^"]*","product":/g,
} as const;

const samples: Record<Wire, Sample[]> = { albion: [], beacon: [], cygnet: [] };

/** Real replies, captured on their way to the adapter. */
beforeAll(async () => {
  const simulators = await startSimulators();
  try {
    const people = await simulators.people(PEOPLE);
    for (const wire of Object.keys(samples) as Wire[]) {
      const line = openLine({ baseUrl: simulators.addresses[wire], timeoutMs: 5_000, connections: 2 });
      for (const behaviour of BEHAVIOURS) {
        await simulators.clear();
        if (behaviour) await simulators.control(wire, { match: { any: true }, behaviour });
        for (const person of behaviour === '' ? people : people.slice(0, 1)) {
          const enquiry = enquiryFor(person, `mutation-${samples[wire].length}`);
          const recorded: BureauLine = {
            ...line,
            async call(call, signal) {
              const reply = await line.call(call, signal);
              if (!call.path.startsWith('/oauth')) samples[wire].push({ reply, asked: toAsked(enquiry) });
              return reply;
            },
          };
          await createAdapter(recorded, simulators.wire(wire)).ask(enquiry, AbortSignal.timeout(10_000));
        }
      }
      await line.close();
    }
  } finally {
    await simulators.stop();
  }
}, LIMIT_MS);

function checkMutant(wire: Wire, mutant: Mutant, reading: Reading): void {
  if (!isOutcome(reading)) return;
  checkReading(reading);
  const marks = mutant.bytes.toString('utf8').match(ACCOUNT_MARKS[wire])?.length ?? 0;
  if (reading.kind === 'no-trace' && marks > 0) throw new Error('a no-trace of a person with accounts');
  if (reading.kind !== 'ok') return;
  const { accounts } = reading.file;
  if (accounts.length < marks) throw new Error(`${marks} accounts on the wire, ${accounts.length} in the file`);
  if (mutant.planted !== undefined) {
    const told = JSON.stringify(reading);
    const runs = Array.from({ length: mutant.planted.length - 7 }, (_, at) => mutant.planted?.slice(at, at + 8) ?? '');
    if (runs.some((run) => told.includes(run))) throw new Error('an account number got through');
    for (const { accountNumberTail } of accounts) {
      if ((accountNumberTail ?? '').length > 4) throw new Error('a tail of more than four digits');
    }
  }
}

describe('spoilt replies', () => {
  for (const [index, wire] of (Object.keys(samples) as Wire[]).entries()) {
    const count = Math.ceil(MUTATIONS / 3);
    test(`${wire}: ${count} of them`, { timeout: LIMIT_MS }, () => {
      const kinds = new Map<string, number>();
      for (let number = 0; number < count; number++) {
        const seed = SEED + index * MUTATIONS + number;
        const random = createRandom(seed);
        const { reply, asked } = random.pick(samples[wire]);
        const mutant = mutate(random, FORMATS[wire], reply.bytes);
        try {
          const reading = READERS[wire]({ ...reply, bytes: mutant.bytes }, asked);
          checkMutant(wire, mutant, reading);
          kinds.set(reading.kind, (kinds.get(reading.kind) ?? 0) + 1);
        } catch (error) {
          throw new Error(`seed ${seed} (${mutant.name})`, { cause: error });
        }
      }
      // The test would prove little if all replies, or none, were still files.
      expect(kinds.get('ok') ?? 0).toBeGreaterThan(count / 10);
      expect(kinds.get('unavailable') ?? 0).toBeGreaterThan(count / 10);
    });
  }
});

test('a whole file is not shown when it answers another enquiry or tells of another person', () => {
  for (const wire of Object.keys(samples) as Wire[]) {
    for (const { reply, asked } of samples[wire]) {
      if (READERS[wire](reply, asked).kind !== 'ok') continue;
      for (const other of [{ enquiryId: 'another' }, { dateOfBirth: '1990-01-01' }]) {
        expect(READERS[wire](reply, { ...asked, ...other })).toMatchObject({ reason: 'unintelligible' });
      }
    }
  }
});
