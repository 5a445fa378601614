// The same call many times at once, over the two nodes of `useTwoNodes`.
import { createTrefoil, type Trefoil, TrefoilError } from '@trefoil/sdk';
import { expect } from 'vitest';
import { CLIENT } from '../harness.ts';
import { grave } from './grave.ts';
import type { OwnTenant, Story } from './tenant.ts';
import type { SecondNode } from './two-nodes.ts';

/** A tenant's client of each node. */
export const nodesOf = (tenant: OwnTenant, { baseUrl }: SecondNode): [Trefoil, Trefoil] => [
  tenant.trefoil,
  createTrefoil({ ...CLIENT, ...tenant, baseUrl }),
];

/** The same call many times at once, spread over both nodes; refusals come back as errors. */
export function inParallel<T>(
  nodes: readonly Trefoil[],
  times: number,
  call: (trefoil: Trefoil, index: number) => Promise<T>,
): Promise<(T | TrefoilError)[]> {
  return Promise.all(
    Array.from({ length: times }, (_, index) =>
      call(nodes[index % nodes.length] as Trefoil, index).catch((error) => {
        if (error instanceof TrefoilError) return error;
        throw error;
      }),
    ),
  );
}

export function count(values: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(values)].toSorted().map((value) => [value, values.filter((each) => each === value).length]),
  );
}

export const linesOf = (lines: readonly string[], kind: string) => lines.filter((line) => line.startsWith(`${kind} `));

/** Of a wallet with one report and one message: also where some requests were refused because the machine is busy. */
export const expectChargedOnce = ({ lines }: Pick<Story, 'lines'>): Promise<void> =>
  grave('one report and one message', () => {
    for (const kind of ['report-charge', 'report-refund', 'sms-charge'])
      expect(linesOf(lines, kind).length, kind).toBeLessThanOrEqual(1);
  });
