import { describe, expect, test } from 'vitest';
import { nearest } from '../lib/values/nearest.ts';
import { printable } from '../lib/values/plain-text.ts';
import { nameOf } from './command.ts';
import { loadAllCommands } from './commands.ts';
import { explainError } from './explain-error.ts';
import { helpForAll, helpForCommand } from './help.ts';
import { parseOptions } from './options.ts';
import { inCredits, table } from './print.ts';

const COMMANDS = await loadAllCommands();

describe.each(COMMANDS.map((command) => [nameOf(command), command] as const))('%s', (name, command) => {
  test('has a summary and describes every option', () => {
    const sentences = [command.summary, ...Object.values(command.options).map(({ description }) => description)];
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].{8,}\.$/);
  });

  test('has an example that its own options accept', () => {
    expect(command.example.startsWith(name)).toBe(true);
    const words = command.example.slice(name.length).match(/'[^']*'|\S+/g) ?? [];
    const values = parseOptions(
      words.map((word) => word.replaceAll("'", '')),
      command.options,
      command.word,
    );
    for (const [option, { isRequired }] of Object.entries(command.options)) {
      if (isRequired) expect(values[option]).toBeDefined();
    }
  });

  test('is in the help, with every option and the example', () => {
    expect(helpForAll(COMMANDS)).toContain(`  ${name} `);
    const help = helpForCommand(command);
    for (const option of [...Object.keys(command.options), 'json', 'help']) expect(help).toContain(`  --${option}`);
    expect(help).toContain(command.example);
  });
});

test('no two commands share a name', () => {
  expect(new Set(COMMANDS.map(nameOf)).size).toBe(COMMANDS.length);
});

test('a command near by is suggested, a far one is not', () => {
  const words = ['tenant', 'user', 'credential'];
  expect(nearest('tennant', words)).toBe('tenant');
  expect(nearest('credentials', words)).toBe('credential');
  expect(nearest('zebra', words)).toBeUndefined();
  expect(nearest('x'.repeat(100_000), words)).toBeUndefined();
});

const FAILURES = [
  [{ code: '23505', constraint: 'users_email_key' }, /already a user with this e-mail/],
  [{ code: '23505' }, /already one like it/],
  [{ code: '23503' }, /does not exist/],
  [{ code: '23503', constraint: 'credentials_tenant_id_owner_user_id_fkey' }, /not a member/],
  [{ code: '23505', constraint: 'list_prices_pkey' }, /price from that instant/],
  [{ code: 'ECONNREFUSED' }, /does not answer/],
  [{ code: '22000' }, /refused \(22000\)/],
] as const;
for (const [fields, sentence] of FAILURES) {
  test(`${JSON.stringify(fields)} becomes one sentence`, () => {
    const explained = explainError(Object.assign(new Error('…'), fields));
    expect(explained).toMatch(sentence);
    expect(explained).not.toContain('\n');
  });
}

test('what nobody expected is not explained away', () => {
  expect(explainError(new TypeError('x is not a function'))).toBeUndefined();
});

const AMOUNTS = [
  [0, '0 credits (£0.00)'],
  [1, '1 credit (£0.001)'],
  [10, '10 credits (£0.01)'],
  [999, '999 credits (£0.999)'],
  [1_000, '1,000 credits (£1.00)'],
  [-2_345, '-2,345 credits (-£2.345)'],
  [1_234_567_890, '1,234,567,890 credits (£1,234,567.89)'],
] as const;
for (const [credits, expected] of AMOUNTS) {
  test(`${credits} reads ${expected}`, () => expect(inCredits(credits)).toBe(expected));
}

test('a table is aligned, and a name cannot send control sequences to the terminal', () => {
  expect(table(['A', 'B'], [['longer', 'x']])).toBe('A       B\nlonger  x');
  expect(printable('\u001b[2Jevil\u202e\n')).toBe('?[2Jevil??');
});
