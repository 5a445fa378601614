// Reads every figure of a company through the API and compares it with what follows from its facts.
import { isDeepStrictEqual } from 'node:util';
import { createTrefoil, type Trefoil } from '@trefoil/sdk';
import type { DemoTenant } from '../dev/seed.ts';
import { activityOf, bureausOf, countsOf, type Facts, monthsOf, readFacts, usageOf, walletOf } from './facts.ts';
import type { Scene } from './scene.ts';

export type Compared = {
  /** How many figures were compared. */
  readonly figures: number;
  readonly differences: readonly string[];
};

const DAYS = [1, 7, 30, 90] as const;
const ACTIVITY = 200;

type Difference = { readonly at: string; readonly expected: unknown; readonly actual: unknown };

/** Every value inside the expected one; a median is rounded to the second. */
function* compare(at: string, expected: unknown, actual: unknown): Generator<Difference | 'equal'> {
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    if (Array.isArray(expected) && (actual as unknown[]).length !== expected.length) {
      yield { at: `${at}.length`, expected: expected.length, actual: (actual as unknown[]).length };
    }
    for (const [name, value] of Object.entries(expected)) {
      yield* compare(`${at}.${name}`, value, (actual as Record<string, unknown>)[name]);
    }
    return;
  }
  const isRounded =
    at.endsWith('.medianSeconds') && typeof expected === 'number' && Math.abs(expected - Number(actual)) <= 0.501;
  if (isRounded || isDeepStrictEqual(expected, actual)) yield 'equal';
  else yield { at, expected, actual };
}

type Bureaus = Awaited<ReturnType<Trefoil['getBureaus']>>['data']['items'];

const slotsIn = (bureaus: Bureaus) =>
  Object.fromEntries(
    bureaus.flatMap(({ bureau, slots }) =>
      slots
        .filter(({ asked }) => asked > 0)
        .map(({ startsAt, asked, answered }) => [`${bureau} ${startsAt}`, { asked, answered }] as const),
    ),
  );

/** What each bureau's half hours lead to: the share, the state and its beginning. */
function judgedOf(bureaus: Bureaus): object {
  return Object.fromEntries(
    bureaus.map(({ bureau, slots }) => {
      const asked = slots.filter((slot) => slot.asked > 0);
      const total = asked.reduce((all, slot) => all + slot.asked, 0);
      const answered = asked.reduce((all, slot) => all + slot.answered, 0);
      const states = asked.map((slot) => {
        const share = slot.answered / slot.asked;
        return share >= 0.9 ? 'answering' : share >= 0.5 ? 'unsteady' : 'failing';
      });
      const state = states.at(-1) ?? 'not-asked';
      const first = asked[states.findLastIndex((each) => each !== state) + 1];
      return [bureau, { state, since: first?.startsAt ?? null, answeredShare: total === 0 ? null : answered / total }];
    }),
  );
}

async function* figuresOf(trefoil: Trefoil, facts: Facts): AsyncGenerator<Difference | 'equal'> {
  for (const test of [false, true]) {
    for (const days of DAYS) {
      const { data } = await trefoil.getUsage({ days, test });
      yield* compare(`usage(${days}, ${test})`, usageOf(facts, days, test), data);
    }
    yield* compare(`counts(${test})`, countsOf(facts, test), (await trefoil.countReports({ test })).data);
    const { items } = (await trefoil.listActivity({ limit: ACTIVITY, test })).data;
    const lines = items.map(({ occurredAt, kind, creditReportId, amount }) =>
      [occurredAt, kind, creditReportId ?? '-', amount ?? '-'].join(' '),
    );
    // Those of the same moment have no order.
    yield* compare(`activity(${test})`, activityOf(facts, ACTIVITY, test), lines.toSorted().toReversed());
  }
  yield* compare('months', monthsOf(facts), (await trefoil.listWalletMonths()).data.items);
  const { sms } = (await trefoil.getPrices()).data;
  yield* compare('wallet', walletOf(facts, sms.credits), (await trefoil.getWallet()).data);
  const bureaus = (await trefoil.getBureaus()).data.items;
  yield* compare('bureaus', bureausOf(facts), slotsIn(bureaus));
  yield* compare('bureaus', slotsIn(bureaus), bureausOf(facts));
  yield* compare('bureaus', judgedOf(bureaus), Object.fromEntries(bureaus.map((each) => [each.bureau, each])));
}

export async function compareFigures(scene: Scene, tenant: DemoTenant): Promise<Compared> {
  const { baseUrl } = scene.nodes.pick([]) ?? {};
  if (baseUrl === undefined) throw new Error('no node is there');
  const facts = await readFacts(scene, tenant.tenantId);
  const differences: string[] = [];
  let figures = 0;
  for await (const found of figuresOf(createTrefoil({ baseUrl, ...tenant }), facts)) {
    figures += 1;
    if (found === 'equal') continue;
    differences.push(
      `${found.at}: ${JSON.stringify(found.actual)}, and from the books ${JSON.stringify(found.expected)}`,
    );
  }
  return { figures, differences };
}
