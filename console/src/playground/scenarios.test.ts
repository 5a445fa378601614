import { TEST_CATALOGUE } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { groupsOf, scenarioOf } from './scenarios.ts';

test('every value of the catalogue has a scenario, always of test mode, and a title in words', () => {
  for (const value of TEST_CATALOGUE.items) {
    expect(scenarioOf(value)?.request.test, `${value.field} ${value.value}`).toBe(true);
  }
  for (const { title, field } of groupsOf(TEST_CATALOGUE.items)) expect(title, field).not.toContain('/');
  expect(groupsOf(TEST_CATALOGUE.items).flatMap(({ values }) => values)).toHaveLength(TEST_CATALOGUE.total);
});

test('a field that this page does not know yet is shown without a button', () => {
  const value = { field: '/testOptions/new', value: 'x', effect: 'Something.' };
  expect(scenarioOf(value)).toBeUndefined();
  expect(groupsOf([value])).toEqual([{ field: '/testOptions/new', title: '/testOptions/new', values: [value] }]);
});
