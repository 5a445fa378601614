// What a terminal's Ctrl+C or a supervisor does to `npm run dev`: the signal goes to npm, to the server and to all that they started,
// and npm hands it to the server once more. The simulators must answer until the server has drained.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createTrefoil } from '@trefoil/sdk';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { BUREAU_PARTS, findPerson, type SimulatorAddresses } from '../../../tools/dev/ask-simulators.ts';
import { FOR_CHECKS } from '../../../tools/dev/dev-options.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { loadLocalServers } from '../../src/config.ts';

/** Longer than the signal takes to arrive. */
const SLOW = JSON.stringify({ match: { any: true }, behaviour: 'slow=1500', call: 'enquiry' });

type Started = Parameters<typeof createTrefoil>[0] & {
  readonly baseUrl: string;
  readonly databaseName: string;
  readonly sessionId: string;
  readonly simulators: SimulatorAddresses;
};

async function countEnquiries(wire: string): Promise<number> {
  const { enquiries } = (await (await fetch(`${wire}/control/enquiries`)).json()) as { enquiries: object[] };
  return enquiries.length;
}

async function findDatabase(name: string): Promise<boolean> {
  const client = new Client({ connectionString: loadLocalServers().adminUrl });
  await client.connect();
  try {
    return (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;
  } finally {
    await client.end();
  }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to the whole group of npm run dev: a live report under way gets its bureaus, and nothing is left behind',
  async (signal) => {
    const npm = spawn('npm', ['run', '-s', 'dev', '--', ...FOR_CHECKS], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Not "exit": these are closed when the last process that has them has ended.
    const closed = once(npm, 'close');
    const group = -(npm.pid ?? 0);
    try {
      const [line] = (await once(createInterface({ input: npm.stdout }), 'line')) as [string];
      const started = JSON.parse(line) as Started;
      const { sessionId, simulators, databaseName } = started;
      const wires = Object.values(BUREAU_PARTS).map((wire) => simulators[wire]);
      for (const wire of wires) await fetch(`${wire}/control`, { method: 'POST', body: SLOW });
      const person = await findPerson(simulators.albion, 'person-0001');
      const generating = createTrefoil(started).generate({
        ...{ email: 'allow@example.com', mobileNumber: '+447700900123', sessionId, ipAddress: '192.0.2.10' },
        ...{ bureaus: ['equifax', 'experian', 'transunion'], ...person },
      } as Parameters<ReturnType<typeof createTrefoil>['generate']>[0]);
      await eventually(async () => {
        for (const wire of wires) expect(await countEnquiries(wire)).toBe(1);
      });
      process.kill(group, signal);
      const { data } = await generating;
      expect(data).toMatchObject({ status: 'complete', bureauResults: wires.map(() => ({ outcome: 'ok' })) });
      await closed;
      expect(() => process.kill(group, 0)).toThrow('ESRCH');
      for (const wire of wires) await expect(fetch(wire)).rejects.toThrow();
      expect(await findDatabase(databaseName)).toBe(false);
    } finally {
      if (npm.exitCode === null && npm.signalCode === null) process.kill(group, 'SIGKILL');
    }
  },
  180_000,
);
