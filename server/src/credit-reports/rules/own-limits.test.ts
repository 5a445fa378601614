import { expect, test } from 'vitest';
import { type OwnUses, ownLimits } from './own-limits.ts';

const dayEndsAt = new Date('2026-03-03T00:00:00.000Z');
const minuteEndsAt = new Date('2026-03-02T10:16:00.000Z');
const free: OwnUses = {
  country: 'GB',
  countries: ['GB'],
  ofNumber: { challenges: 0, messages: 0, mistakes: 0 },
  numberFreeAt: null,
  budget: { dailyCredits: 100, dailyMessages: 3, minuteMessages: 2 },
  used: { dayCredits: 0, dayMessages: 0, minuteMessages: 0 },
  dayEndsAt,
  minuteEndsAt,
  priceCredits: 40,
};
const number = (changes: Partial<OwnUses['ofNumber']>) => ({ ofNumber: { ...free.ofNumber, ...changes } });
const used = (changes: Partial<OwnUses['used']>) => ({ used: { ...free.used, ...changes } });

test.each<[Partial<OwnUses>, string | undefined]>([
  // what is used, the limit that refuses
  [{}, undefined],
  [{ country: undefined }, 'destination'],
  [{ country: 'FR' }, 'destination'],
  [{ country: 'FR', countries: ['GB', 'FR'] }, undefined],
  [number({ challenges: 3 }), undefined],
  [number({ challenges: 4 }), 'company-number'],
  [number({ messages: 7 }), undefined],
  [number({ messages: 8 }), 'company-number'],
  [number({ mistakes: 8 }), undefined],
  [number({ mistakes: 9 }), 'company-number'],
  [used({ dayCredits: 60 }), undefined],
  [used({ dayCredits: 61 }), 'company-day'],
  [used({ dayMessages: 2 }), undefined],
  [used({ dayMessages: 3 }), 'company-day'],
  [used({ minuteMessages: 1 }), undefined],
  [used({ minuteMessages: 2 }), 'company-minute'],
])('%j: refused by %s', (changes, kind) => {
  const limits = ownLimits({ ...free, ...changes });
  expect(limits.map((limit) => limit.kind)).toEqual(['destination', 'company-number', 'company-day', 'company-minute']);
  expect(limits.filter(({ refuses }) => refuses).map((limit) => limit.kind)).toEqual(kind ? [kind] : []);
});

test('each says when it allows messages again, and null where waiting does not help', () => {
  const freeAt = new Date('2026-03-02T20:00:00.000Z');
  const full = {
    ...free,
    ...number({ messages: 8 }),
    ...used({ dayMessages: 3, minuteMessages: 2 }),
    numberFreeAt: freeAt,
  };
  expect(ownLimits(full).map(({ resetsAt }) => resetsAt)).toEqual([
    null,
    freeAt.toISOString(),
    dayEndsAt.toISOString(),
    minuteEndsAt.toISOString(),
  ]);
  const closed = { ...full, budget: { dailyCredits: null, dailyMessages: 0, minuteMessages: 0 } };
  expect(ownLimits(closed).map(({ resetsAt }) => resetsAt)).toEqual([null, freeAt.toISOString(), null, null]);
});
