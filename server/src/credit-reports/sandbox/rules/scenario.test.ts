import { expect, test } from 'vitest';
import { chooseScenario } from './scenario.ts';

const rows = [
  // e-mail, scenario
  ['test001@example.com', 'no-records'],
  ['test002@example.com', 'single-pcp'],
  ['test003@example.com', 'mixed'],
  ['test004@example.com', 'all-settled'],
  ['test005@example.com', 'default'],
  ['test000@example.com', 'default'],
  ['ada@example.com', 'default'],
  [undefined, 'default'],
  ['', 'default'],
  // any case, any domain
  ['TEST001@example.com', 'no-records'],
  ['Test002@EXAMPLE.org', 'single-pcp'],
  ['tEsT003@mail.example.org', 'mixed'],
  ['test004@test001', 'all-settled'],
  ['ada@test001.example.com', 'default'],
  // the whole text before the at sign, nothing less
  ['test0010@example.com', 'default'],
  ['test001+ada@example.com', 'default'],
  ['test001.ada@example.com', 'default'],
  ['xtest001@example.com', 'default'],
  [' test001@example.com', 'default'],
  ['test01@example.com', 'default'],
  ['test001', 'default'],
  ['test001x', 'default'], // no at sign at all
  ['@example.com', 'default'],
  // the last at sign separates the domain
  ['test001@ada@example.com', 'default'],
  ['ada@test001@example.com', 'default'],
  // names that every object has
  ['constructor@example.com', 'default'],
  ['__proto__@example.com', 'default'],
] as const;
for (const [email, scenario] of rows) {
  test(`${email === undefined ? 'no e-mail' : JSON.stringify(email)} asks for ${scenario}`, () => {
    expect(chooseScenario(email)).toBe(scenario);
  });
}
