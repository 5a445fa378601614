// Everything that works without a configuration: the help, and command lines that are wrong.
import { expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

const UNKNOWN_ID = '01997c2e-5a10-7bd3-9c4e-2f60d81b7a35';

async function run(line: string) {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const output = { log: (text: string) => stdout.push(text), error: (text: string) => stderr.push(text) };
  const loadConfig = () => {
    throw new Error('the configuration was asked for');
  };
  const code = await runCommand(line.split(' '), loadConfig, output);
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

const MISREAD = [
  ['tenent list', "There is no command 'tenent'. Did you mean 'tenant'?"],
  ['tenant lst', "There is no command 'tenant lst'. Did you mean 'tenant list'?"],
  ['migrat', "Did you mean 'migrate'?"],
  ['frobnicate', 'npm run trefoil -- help'],
  ['tenant', 'tenant create, list, disable, enable, rate, show, retention, sms, low-balance or screening'],
  ['tenant create', '--name <text> is missing.'],
  ['tenant create --name', '--name needs a value'],
  ['tenant create --name=', '--name must be 1 to 200 characters'],
  ['tenant create --name --json', '--name needs a value'],
  ['tenant create --nmae x', 'There is no option --nmae. Did you mean --name?'],
  ['tenant create --name a --name b', '--name is given twice'],
  ['tenant list everything', 'an extra word'],
  ['user disable --user 42', '--user must be an id: a UUID'],
  ['tenant disable --tenant=', '--tenant must be the id or the name of a tenant'],
  ['membership list --tenant x', "is now 'member list'"],
  [`tenant rate --tenant ${UNKNOWN_ID} --per-second 0`, '--per-second must be a whole number from 1 to'],
  ['user create --email nobody --first-name A --last-name B', '--email must be an e-mail address'],
  [`membership create --tenant ${UNKNOWN_ID} --user ${UNKNOWN_ID} --role boss`, '--role must be one of owner,'],
  [`credential rotate --credential ${UNKNOWN_ID} --grace-hours -1`, '--grace-hours needs a value'],
  [`credential create --tenant ${UNKNOWN_ID} --owner ${UNKNOWN_ID} --name x --scopes all`, '--scopes must be'],
  [`wallet top-up --tenant ${UNKNOWN_ID} --credits 0 --reference x`, '--credits must be a whole number from 1 to'],
  [`wallet top-up --tenant ${UNKNOWN_ID} --credits -5 --reference x`, '--credits needs a value'],
  [`wallet top-up --tenant ${UNKNOWN_ID} --credits 1.5 --reference x`, '--credits must be a whole number'],
  [`wallet adjust --tenant ${UNKNOWN_ID} --credits -0 --reason x`, '--credits must be a whole number from -'],
  [`wallet adjust --tenant ${UNKNOWN_ID} --credits --reason x`, '--credits needs a value'],
  ['subject replay a.json --accept-revoked --yes', '--accept-revoked needs a value'],
  ['subject replay a.json --accept-revoked x', '--accept-revoked must be ids of keys'],
  [`wallet entries --tenant ${UNKNOWN_ID} --kind sms-writeoff`, '--kind must be one of top-up,'],
  [`wallet entries --tenant ${UNKNOWN_ID} --from 2026-02-30`, '--from must be a date'],
  ['wallet reconcile --since yesterday', '--since must be a date'],
  ['price set --item fax --credits 5', '--item must be one of report, bureau, sms'],
  [`price unset --tenant ${UNKNOWN_ID}`, '--item <word> is missing'],
  [`tenant retention --tenant ${UNKNOWN_ID} --days 91`, '--days must be a whole number from 0 to 90'],
  [`tenant sms --tenant ${UNKNOWN_ID} --countries UK`, '--countries must be a comma-separated list'],
  [`tenant sms --tenant ${UNKNOWN_ID} --host https://claims.example.com/`, '--host must be the host name'],
] as const;
for (const [line, message] of MISREAD) {
  test(`${line}: exit 2 and one line`, async () => {
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\n');
  });
}

test("a key's id that begins with dashes is its option's value", async () => {
  for (const ids of ['-'.repeat(43), `-${'k'.repeat(42)},${'k'.repeat(43)}`]) {
    await expect(run(`subject replay a.json --accept-revoked ${ids} --yes`)).rejects.toThrow('configuration was asked');
  }
});

test('a value in the wrong place is not repeated: it may be a secret', async () => {
  const { stderr } = await run('credential rotate --credential tfs_hush');
  expect(stderr).not.toContain('tfs_hush');
});

test('--version, -v and version: exit 0 and the version', async () => {
  for (const word of ['--version', '-v', 'version']) {
    expect(await run(word)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^trefoil \d+\.\d+\.\d+ \(Node v\d+/),
      stderr: '',
    });
  }
});

const HELP = [
  ['help', 'Commands:'],
  ['--help', 'Commands:'],
  ['help tenant', 'tenant <verb>'],
  ['tenant help', 'tenant <verb>'],
  ['tenant --help', 'tenant <verb>'],
  ['help user create', 'user create --email <address>'],
  ['user create help', 'user create --email <address>'],
  ['user create -h', 'user create --email <address>'],
  ['user create --email --help', 'user create --email <address>'],
  ['purge --help', '-- purge'],
  ['help api', '-- api'],
  ['help migrate', '-- migrate'],
] as const;
for (const [line, usage] of HELP) {
  test(`${line}: exit 0 and the usage`, async () => {
    const { code, stdout, stderr } = await run(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: npm run trefoil -- ');
    expect(stdout).toContain(usage);
  });
}
