// The timeline as steps to read: money beside what it was for, and how long each bureau took. Pure.
import type { TimelineResponse } from '@trefoil/sdk';
import { formatCredits } from '../format/money.ts';
import { formatDate, londonDay } from '../format/time.ts';
import { FAILURES, SOURCES, type Tone } from '../format/words.ts';

type Data = TimelineResponse['data'];
type Item = Data['items'][number];
type Kind = Item['kind'];

export type Step = {
  readonly kind: Kind;
  readonly at: string;
  readonly title: string;
  readonly tone: Extract<Tone, 'good' | 'warn' | 'bad'> | undefined;
  readonly details: readonly string[];
};

type Words = { readonly title: string; readonly tone?: 'good' | 'warn' | 'bad' };

const STEPS: Record<Kind, Words> = {
  requested: { title: 'Requested' },
  'report-charged': { title: 'Report charged' },
  'message-charged': { title: 'Text charged' },
  'message-sent': { title: 'Text sent' },
  'message-delivered': { title: 'Text delivered' },
  'message-undelivered': { title: 'Text not delivered', tone: 'warn' },
  'message-silent': { title: 'No word from the carrier', tone: 'warn' },
  'code-verified': { title: 'Right code', tone: 'good' },
  completed: { title: 'Complete', tone: 'good' },
  blocked: { title: 'Stopped', tone: 'warn' },
  failed: { title: 'Failed', tone: 'bad' },
  'report-refunded': { title: 'Refunded' },
  erased: { title: 'Content erased' },
};

/** Test mode sends nothing, but a report goes on as if it had. */
const IN_TEST_MODE: Partial<Record<Kind, string>> = {
  'message-sent': 'Text, as if sent',
  'message-delivered': 'Text, as if delivered',
  'message-undelivered': 'Text, as if not delivered',
  'message-silent': 'As if the carrier had reported nothing',
};

/** `612 ms`, `2.9 s`, `4 min 3 s`. Undefined for no time at all, which is one that nobody measured: test mode has such. */
export function formatSpan(ms: number): string | undefined {
  if (ms <= 0) return undefined;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const msBetween = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from));
const spanBetween = (from: string, to: string) => formatSpan(msBetween(from, to));

type Detail = (item: Item, data: Data) => string | undefined;

const DETAILS: Partial<Record<Kind, Detail>> = {
  requested: (_, { source }) => `Through the ${source === 'console' ? 'console' : SOURCES[source]}`,
  'message-sent': (_, { mobileEnding }) => (mobileEnding ? `To the number ending ${mobileEnding}` : undefined),
  'message-delivered': ({ at, message }, { items }) => {
    const sent = items.find((each) => each.kind === 'message-sent' && each.message === message);
    const span = sent && spanBetween(sent.at, at);
    return span && `${span} after it was sent`;
  },
  blocked: () => 'By the check of the request',
  failed: ({ failureReason }) => failureReason && FAILURES[failureReason],
  'report-refunded': ({ credits = 0 }) => formatCredits(credits),
  'report-charged': ({ credits = 0 }) => formatCredits(credits),
  'message-charged': ({ credits = 0 }) => formatCredits(credits),
};

/** What a charge is for, wherever it stands: it is told there. */
function chargedFor({ kind, message }: Item, items: readonly Item[]): Item | undefined {
  if (kind === 'report-charged') return items.find((each) => each.kind === 'requested');
  if (kind !== 'message-charged') return undefined;
  return items.find((each) => each.kind === 'message-delivered' && each.message === message);
}

export function stepsOf(data: Data): Step[] {
  const steps: Step[] = [];
  const firstDay = data.items[0] && londonDay(data.items[0].at);
  for (const item of data.items) {
    const { kind, at } = item;
    // Told with what it is for, or a kind that this page does not know yet.
    if (chargedFor(item, data.items) || !Object.hasOwn(STEPS, kind)) continue;
    const { title, tone } = STEPS[kind];
    const words = (data.test && IN_TEST_MODE[kind]) || title;
    const number = item.message && item.message > 1 ? ` (${item.message})` : '';
    // The time alone would look like one of the first day.
    const day = londonDay(at) === firstDay ? undefined : formatDate(londonDay(at));
    const charges = data.items
      .filter((each) => chargedFor(each, data.items) === item)
      .map(({ credits = 0 }) => `${formatCredits(credits)} charged`);
    const details = [DETAILS[kind]?.(item, data), day, ...charges].filter((each) => each !== undefined);
    steps.push({ kind, at, title: `${words}${number}`, tone, details });
  }
  return steps;
}

/** In credits: the charge of the report without what was refunded. Texts are not included, as in `costCredits`. */
export const costOf = ({ items }: Data): number =>
  items.reduce((sum, { kind, credits = 0 }) => {
    if (kind === 'report-charged') return sum + credits;
    return kind === 'report-refunded' ? sum - credits : sum;
  }, 0);

/** From the request to the outcome; undefined while there is none, and where it took no time. */
export function durationOf({ items }: Data): string | undefined {
  const [first] = items;
  const last = items.find(({ kind }) => kind === 'completed' || kind === 'failed' || kind === 'blocked');
  return first && last && spanBetween(first.at, last.at);
}

export type BureauBar = {
  readonly bureau: NonNullable<Data['bureaus']>[number]['bureau'];
  readonly outcome: NonNullable<Data['bureaus']>[number]['outcome'];
  readonly span: string | undefined;
  /** Of the slowest, 0 to 1. */
  readonly share: number;
};

/** How long each bureau took after it could be asked: from the right code, or from the request where no code was needed. */
export function barsOf({ items, bureaus = [] }: Data): BureauBar[] {
  const asked = items.find(({ kind }) => kind === 'code-verified') ?? items[0];
  const timed = bureaus.map((each) => ({
    ...each,
    ms: asked && each.answeredAt ? msBetween(asked.at, each.answeredAt) : undefined,
  }));
  const slowest = Math.max(1, ...timed.map(({ ms = 0 }) => ms));
  return timed.map(({ bureau, outcome, ms }) => ({
    bureau,
    outcome,
    span: ms === undefined ? undefined : formatSpan(ms),
    share: (ms ?? 0) / slowest,
  }));
}
