// The invented people and lenders as data: the shapes of the market, the reserved ranges, the disagreements.
import { expect, test } from 'vitest';
import { agreementsOf } from './agreements.ts';
import { findNumber, identityOf, PEOPLE_MAX } from './identity.ts';
import { type BureauName, LENDERS } from './lenders.ts';
import { FAMILY_NAMES, FORENAMES, foldName } from './names.ts';
import { residencesOf } from './residences.ts';
import { viewOf } from './view.ts';

const world = { seed: 'trefoil', asOf: '2026-06-01' };
const NUMBERS = Array.from({ length: 400 }, (_, index) => index + 1);
const BUREAUS: readonly BureauName[] = ['albion', 'beacon', 'cygnet'];

const truthOf = (number: number) => agreementsOf(world.seed, number, world.asOf, identityOf(world.seed, number).born);
const ALL = NUMBERS.flatMap(truthOf);

test('names differ even when folded', () => {
  expect(new Set(FORENAMES.map(({ name }) => foldName(name))).size).toBe(FORENAMES.length);
  expect(new Set(FAMILY_NAMES.map(foldName)).size).toBe(FAMILY_NAMES.length);
});

test('name and birth date lead back to the person', () => {
  for (const number of [...NUMBERS, 99_999, PEOPLE_MAX]) {
    const { name, born } = identityOf(world.seed, number);
    expect(findNumber(world.seed, name.given[0]?.toUpperCase() ?? '', name.family.toLowerCase(), born)).toBe(number);
  }
  const beyond = identityOf(world.seed, PEOPLE_MAX + 1);
  expect(findNumber(world.seed, beyond.name.given[0] ?? '', beyond.name.family, beyond.born)).toBeUndefined();
});

test('everybody is of age and lives in an unallocated district, with numbers and mail reserved for fiction', () => {
  for (const number of NUMBERS) {
    const { born, mobileNumber, email } = identityOf(world.seed, number);
    expect(born < '2006-01-01').toBe(true);
    expect(mobileNumber).toMatch(/^\+447700900\d{3}$/);
    expect(email).toMatch(/@example\.com$/);
    const residences = residencesOf(world.seed, number, world.asOf);
    expect(residences.length).toBeGreaterThanOrEqual(1);
    expect(residences.length).toBeLessThanOrEqual(4);
    expect(residences.map(({ to }) => to === null)).toEqual(residences.map((_, place) => place === 0));
    for (const { postcode } of residences)
      expect(postcode).toMatch(/^(HR10|LD9|ZE4|HS10|TD16) [1-9][ABD-HJLNP-UW-Z]{2}$/);
  }
});

test('6 to 12 agreements each, none ending before it begins or after today', () => {
  for (const number of NUMBERS) {
    const agreements = truthOf(number);
    expect(agreements.length).toBeGreaterThanOrEqual(6);
    expect(agreements.length).toBeLessThanOrEqual(12);
  }
  for (const { opened, ended, balancePence } of ALL) {
    expect(opened <= (ended ?? world.asOf)).toBe(true);
    expect((ended ?? world.asOf) <= world.asOf).toBe(true);
    expect(Number.isInteger(balancePence)).toBe(true);
  }
});

test('hire purchase has the terms, balloons, chains and concentration of the market', () => {
  const vehicles = ALL.filter(
    ({ product, lender }) => product === 'hire-purchase' && lender.sector === 'motor-finance',
  );
  expect(new Set(vehicles.map(({ termMonths }) => termMonths))).toEqual(new Set([36, 37, 48, 49, 60]));
  for (const { termMonths, schedule, creditPence } of vehicles) {
    expect(schedule?.lastPence !== null).toBe(termMonths === 37 || termMonths === 49);
    expect(creditPence).toBeGreaterThanOrEqual(800_000);
    expect(creditPence).toBeLessThanOrEqual(3_305_000);
  }
  const top = vehicles.filter(({ lender }) => ['brackenfell', 'thornmere', 'wexcombe'].includes(lender.id));
  expect(top.length / vehicles.length).toBeGreaterThan(0.5);
  expect(top.length / vehicles.length).toBeLessThan(0.65);
  const refinanced = vehicles.filter((one) =>
    vehicles.some((two) => two.opened === one.ended && two.lender === one.lender),
  );
  expect(refinanced.length).toBeGreaterThan(40);
});

test('twin cards, sold debts, joint accounts, former names and every ending occur', () => {
  const isTwin = (number: number) => {
    const cards = truthOf(number).filter(({ product }) => product === 'credit-card');
    return cards.some((one) =>
      cards.some((two) => one !== two && one.lender === two.lender && one.opened === two.opened),
    );
  };
  expect(NUMBERS.filter(isTwin).length).toBeGreaterThan(3);
  expect(ALL.filter(({ state }) => state === 'sold').length).toBeGreaterThan(5);
  expect(ALL.filter(({ lender }) => lender.sector === 'debt-purchaser').length).toBeGreaterThan(5);
  expect(ALL.filter(({ isJoint }) => isJoint).length).toBeGreaterThan(50);
  for (const state of ['settled', 'closed', 'voluntary-termination', 'default', 'behind', 'arrangement', 'dormant']) {
    expect(ALL.some((agreement) => agreement.state === state)).toBe(true);
  }
});

test('the three views disagree, and no bureau holds what its lenders do not report or what ended six years ago', () => {
  let different = 0;
  for (const number of NUMBERS) {
    const views = BUREAUS.map((bureau) => ({ bureau, view: viewOf(world, bureau, number) }));
    for (const { bureau, view } of views) {
      for (const { lender, ended } of view.rows) {
        expect(lender.reportsTo).toContain(bureau);
        expect((ended ?? world.asOf) >= '2020-06-01').toBe(true);
      }
    }
    const opened = views.map(({ view }) =>
      JSON.stringify(view.rows.map((row) => [row.index, row.opened, row.lenderName])),
    );
    if (new Set(opened).size > 1) different++;
  }
  expect(different).toBeGreaterThan(NUMBERS.length * 0.9);
});

test('about sixty lenders with names and ids of their own', () => {
  expect(LENDERS.length).toBeGreaterThanOrEqual(55);
  expect(new Set(LENDERS.map(({ id }) => id)).size).toBe(LENDERS.length);
  expect(new Set(LENDERS.map(({ trading }) => trading)).size).toBe(LENDERS.length);
  expect(LENDERS.filter(({ former }) => former.length > 0).length).toBeGreaterThan(10);
  expect(LENDERS.filter(({ group }) => group !== null).length).toBeGreaterThan(8);
});
