// Every wire passes its enquiries here: it finds the person, decides the behaviour and writes the log.
import { type Behaviours, behavioursInName, join, parseBehaviours, QUIET } from './behaviours.ts';
import { Control, type Seen } from './control.ts';
import { findNumber, identityOf } from './people/identity.ts';
import type { BureauName } from './people/lenders.ts';
import { foldPostcode, residencesOf } from './people/residences.ts';
import { type View, viewOf, type World } from './people/view.ts';
import { hash32, type Random, randomFor } from './random.ts';
import { spoilView } from './spoil-view.ts';

export type Subject = {
  readonly given: string;
  readonly family: string;
  readonly born: string;
  readonly postcodes: readonly string[];
};

/** What the bureau found, and how to behave about it. `view` is null for a no-trace. */
export type Finding = { readonly view: View | null; readonly behaviours: Behaviours };

export type EnquiryOptions = World & {
  readonly bureau: BureauName;
  /** Behaviours of the whole run. */
  readonly always: Behaviours;
  readonly isRealistic: boolean;
};

export class EnquiryHandler {
  readonly control = new Control();
  readonly options: EnquiryOptions;
  #calls = 0;

  constructor(options: EnquiryOptions) {
    this.options = options;
  }

  /** A first call: a new enquiry, whatever its id. */
  enquire(enquiryId: string, subject: Subject, header: string | undefined): Finding {
    const { family, behaviours: named } = behavioursInName(subject.family);
    const number = this.#trace({ ...subject, family });
    const person = number === undefined ? null : identityOf(this.options.seed, number).id;
    const seen: Seen = { call: 'enquiry', enquiryId, lastName: family, person };
    const behaviours = this.#behaviours(seen, header, named);
    const isUntraced = this.options.isRealistic && number !== undefined && this.#isUntraced(number);
    const isKnown = number !== undefined && !isUntraced && !behaviours.has('no-trace');
    return {
      view: isKnown ? spoilView(viewOf(this.options, this.options.bureau, number), behaviours) : null,
      behaviours,
    };
  }

  /** A later call of an enquiry that is already known (pick, poll), or one without an enquiry (token). */
  follow(seen: Seen, header: string | undefined): Behaviours {
    return this.#behaviours(seen, header);
  }

  /** `YYYY-MM-DDThh:mm:ss` of an enquiry: in office hours of the run's date, the same for the same id. */
  timeOf(enquiryId: string): string {
    const second = hash32(enquiryId) % 28_800;
    return new Date(Date.parse(`${this.options.asOf}T09:00:00Z`) + second * 1000).toISOString().slice(0, 19);
  }

  #behaviours(seen: Seen, header: string | undefined, named: Behaviours = QUIET): Behaviours {
    const wished = header === undefined ? QUIET : parseBehaviours(header);
    const isLate = this.options.isRealistic && seen.call !== 'token';
    const random = isLate ? realistic(this.options, seen, ++this.#calls) : QUIET;
    const isEnquiry = seen.call === 'enquiry';
    const behaviours = join(random, isEnquiry ? this.options.always : QUIET, this.control.take(seen), wished, named);
    if (seen.call !== 'token') this.control.record(seen, behaviours, new Date().toISOString());
    return behaviours;
  }

  #trace({ given, family, born, postcodes }: Subject): number | undefined {
    const { seed, asOf } = this.options;
    const number = findNumber(seed, given, family, born);
    if (number === undefined || postcodes.length === 0) return number;
    const known = new Set(residencesOf(seed, number, asOf).map(({ postcode }) => foldPostcode(postcode)));
    return postcodes.some((postcode) => known.has(foldPostcode(postcode))) ? number : undefined;
  }

  /** The same people every time, different people at each bureau. */
  #isUntraced(number: number): boolean {
    return randomFor(this.options.seed, this.options.bureau, 'untraced', number).chance(0.06);
  }
}

/** Median and a sigma that puts the 99th percentile at 4, 6 and 8 seconds. */
const LATENCY = {
  albion: { medianMs: 350, sigma: 1.05 },
  beacon: { medianMs: 700, sigma: 0.92 },
  cygnet: { medianMs: 1200, sigma: 0.82 },
} as const;

function realistic({ seed, bureau }: EnquiryOptions, { call }: Seen, count: number): Behaviours {
  const random = randomFor(seed, bureau, 'realistic', count);
  const { medianMs, sigma } = LATENCY[bureau];
  const latencyMs = Math.round(medianMs * Math.exp(sigma * normal(random)));
  const found = new Map<Parameters<Behaviours['get']>[0], string>([['slow', String(latencyMs)]]);
  if (call !== 'enquiry') return found;
  if (random.chance(0.01)) found.set('hang', '');
  if (random.chance(0.003)) found.set('garbage', random.pick(['broken', 'html', 'empty']));
  if (random.chance(0.002)) found.set('throttle', '');
  if (random.chance(0.01)) found.set('duplicate-rows', '');
  if (random.chance(0.001)) found.set('unknown-codes', '');
  if (random.chance(0.08)) found.set('pick-list', '');
  if (random.chance(0.05)) found.set('poll', String(random.int(1, 3)));
  return found;
}

/** Box and Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
