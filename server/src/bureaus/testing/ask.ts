// Asking one bureau in a test, and reading the answer. Tests only.
import { randomUUID } from 'node:crypto';
import { enquiryFor, type SimulatedPerson, type Simulators, type Wire } from '../../../test/support/simulators.ts';
import { type BureauLine, openLine } from '../call-bureau.ts';
import { guardBureau } from '../guard-bureau.ts';
import type { BureauAdapter, BureauFile, BureauOutcome } from '../port.ts';
import { type BureauWire, createAdapter } from '../registry.ts';
import { checkOutcome } from './check-outcome.ts';

export type Asked = { readonly outcome: BureauOutcome; readonly enquiryId: string };

const lines: BureauLine[] = [];

/** An adapter with its own connections, which `closeLines` ends. */
export function openAdapter(baseUrl: string, wire: BureauWire, timeoutMs = 5_000): BureauAdapter {
  const line = openLine({ baseUrl, timeoutMs, connections: 4 });
  lines.push(line);
  return guardBureau(createAdapter(line, wire), { timeoutMs, maxConcurrent: 4 });
}

export async function closeLines(): Promise<void> {
  await Promise.all(lines.splice(0).map((line) => line.close()));
}

/** Checks every outcome against the port. */
export async function ask(adapter: BureauAdapter, person: SimulatedPerson | undefined): Promise<Asked> {
  if (!person) throw new Error('no person');
  const enquiryId = randomUUID();
  const outcome = await adapter.ask(enquiryFor(person, enquiryId), new AbortController().signal);
  checkOutcome(outcome);
  return { outcome, enquiryId };
}

export const reasonOf = ({ outcome }: Asked) => (outcome.kind === 'unavailable' ? outcome.reason : outcome.kind);
export const warningsOf = ({ outcome }: Asked) => (outcome.kind === 'ok' ? outcome.warnings : []);

export function fileOf(asked: Asked): BureauFile {
  if (asked.outcome.kind !== 'ok') throw new Error(`no file: ${reasonOf(asked)}`);
  return asked.outcome.file;
}

/** A person with enough accounts to show every kind of damage. */
export async function richPerson(
  simulators: Simulators,
  wire: Wire,
  people: readonly SimulatedPerson[],
): Promise<SimulatedPerson> {
  for (const person of people) if ((await simulators.refs(person.id, wire)).length >= 5) return person;
  throw new Error('nobody has five accounts');
}
