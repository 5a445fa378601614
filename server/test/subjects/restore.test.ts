// Erasures and backups: a copy from before an erasure has the person until the receipts are replayed, and then no more. A copy from
// after it, restored by the write-ahead log, has nothing to replay. The operator's commands do all of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMissing } from '../../../tools/testing/is-missing.ts';
import { loadConfig } from '../../src/config.ts';
import { newEvidenceKeys } from '../../src/evidence/evidence-keys.ts';
import { newKey } from '../../src/lib/crypto/secret-keys.ts';
import { generateBody } from '../harness.ts';
import { jsonHere, runHere } from '../support/command-line.ts';
import { publishedKeys } from '../support/evidence.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { onCopy, takeBackup } from '../support/old-months.ts';
import { canOwnPostgres, TO_OWN_POSTGRES } from '../support/own-postgres.ts';
import { findWords, newCanary, openEverything, SHARED_WORDS, vaultOf } from '../support/subjects.ts';
import { startArchived } from '../support/wal-copy.ts';

const erasedOne = newCanary('Wexcombeford');
const keptOne = newCanary('Throstleby');

let server: LiveServer;
let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trefoil-subjects-'));
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
  await server.fund(server.demo.tenantId, 1_000_000);
  for (const { request } of [erasedOne, keptOne]) {
    const { data } = await server.trefoil.generate(liveBody(server.mintSession(), request));
    expect(data.status).toBe('complete');
  }
  writeFileSync(at('person.json'), JSON.stringify(erasedOne.subject));
  writeFileSync(at('keys.json'), JSON.stringify({ keys: await publishedKeys(server) }));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

type Copy = { readonly config: LiveServer['config']; readonly text: string };

/** What a thief of this copy and of all keys would read. */
async function readCopy(environment: Record<string, string>): Promise<Copy> {
  const config = loadConfig({ ...server.environment, ...environment });
  const opened = await onCopy(environment, (query) => openEverything({ query }, vaultOf(server)));
  return { config, text: [...opened.values()].join('\n') };
}

const person = () => ['--tenant', server.demo.tenantId, '--person', at('person.json')];

test('a copy from before the erasure has the person until the receipts are replayed', async () => {
  const backup = await takeBackup(server);
  type Found = { total: number };
  expect(await jsonHere<Found>(server, 'subject', 'find', ...person())).toMatchObject({ total: 1 });

  const exported = await runHere(
    server,
    'subject',
    'export',
    ...person(),
    '--out',
    at('held.json'),
    '--pdf',
    at('held.pdf'),
  );
  expect(exported).toMatchObject({ code: 0, stdout: 'Wrote 1 report.' });
  for (const word of erasedOne.words) expect(await readFile(at('held.json'), 'utf8'), word).toContain(word);
  const held = JSON.parse(await readFile(at('held.json'), 'utf8'));
  expect(held).toMatchObject({ tenantId: server.demo.tenantId, reports: [{ status: 'complete' }] });
  expect((await readFile(at('held.pdf'))).toString('latin1', 0, 5)).toBe('%PDF-');

  const asked = await runHere(server, 'subject', 'erase', ...person());
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('repeat it with --yes')]);
  const taken = await runHere(server, 'subject', 'erase', ...person(), '--out', at('held.json'), '--yes');
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('Nothing was erased')]);
  expect(await jsonHere<Found>(server, 'subject', 'find', ...person())).toMatchObject({ total: 1 });
  const erased = await runHere(server, 'subject', 'erase', ...person(), '--out', at('receipt.json'), '--yes');
  expect(erased).toMatchObject({ code: 0, stdout: 'Erased 1 report.' });
  expect(await jsonHere<Found>(server, 'subject', 'find', ...person())).toMatchObject({ total: 0 });
  const receipts = await jsonHere<object[]>(server, 'subject', 'erasures');
  expect(receipts).toHaveLength(1);
  writeFileSync(at('erasures.json'), JSON.stringify(receipts));

  const { environment, drop } = await backup.restore();
  try {
    // The control: without the replay the copy gives the person back.
    const restored = await readCopy(environment);
    expect(findWords(restored.text, erasedOne.words)).not.toEqual([]);
    expect(await jsonHere<Found>(restored, 'subject', 'find', ...person())).toMatchObject({ total: 1 });
    const replayed = await runHere(restored, 'subject', 'replay', at('erasures.json'), '--yes', '--json');
    expect(replayed.code, replayed.stderr).toBe(0);
    expect(JSON.parse(replayed.stdout)).toMatchObject([{ kind: 'erased-again', reports: 1 }]);
    const { text } = await readCopy(environment);
    expect(findWords(text, erasedOne.words)).toEqual([]);
    for (const word of keptOne.words) expect(text, word).toContain(word);
    expect(await jsonHere(restored, 'subject', 'erasures')).toEqual(receipts);
    const again = await runHere(restored, 'subject', 'replay', at('erasures.json'), '--yes', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject([{ kind: 'nothing-left' }]);
  } finally {
    await drop();
  }

  // A month's key may be destroyed since the backup was made: what nobody can open is erased all the same.
  const second = await backup.restore();
  try {
    const blind = {
      config: loadConfig({ ...server.environment, ...second.environment, TREFOIL_VAULT_KEYS: `x:${newKey()}` }),
    };
    const refused = await runHere(blind, 'subject', 'find', ...person());
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('A key that reports of this company need'),
    ]);
    const replayed = await runHere(blind, 'subject', 'replay', at('erasures.json'), '--yes', '--json');
    expect(JSON.parse(replayed.stdout), replayed.stderr).toMatchObject([{ kind: 'erased-again', reports: 1 }]);
  } finally {
    await second.drop();
  }

  // The key that signed was stolen since: whether its receipts are still trusted is for the operator to say.
  const third = await backup.restore();
  try {
    const [signing] = server.config.evidenceKeys;
    const ring = [...JSON.parse(newEvidenceKeys()), { ...signing, revokedAt: new Date().toISOString() }];
    const config = loadConfig({
      ...{ ...server.environment, ...third.environment },
      TREFOIL_EVIDENCE_KEYS: JSON.stringify(ring),
    });
    const replay = async (...options: string[]) => {
      const { code, stdout, stderr } = await runHere(
        { config },
        ...['subject', 'replay', at('erasures.json'), ...options, '--yes', '--json'],
      );
      expect(stdout, stderr).not.toBe('');
      return [code, ...JSON.parse(stdout)];
    };
    const refused = [1, expect.objectContaining({ kind: 'revoked-key', kid: signing.kid })];
    expect(await replay()).toEqual(refused);
    expect(await replay('--accept-revoked', 'k'.repeat(43))).toEqual(refused);
    expect(await jsonHere<Found>({ config }, 'subject', 'find', ...person())).toMatchObject({ total: 1 });
    const accepted = [0, expect.objectContaining({ kind: 'erased-again', reports: 1 })];
    expect(await replay('--accept-revoked', signing.kid)).toEqual(accepted);
  } finally {
    await third.drop();
    backup.remove();
  }
});

test('a receipt is verified without a database, and refused with one letter changed: it then erases nothing', async () => {
  const good = await runHere(server, 'subject', 'verify', at('receipt.json'), '--keys', at('keys.json'));
  expect([good.code, good.stdout]).toEqual([
    0,
    expect.stringMatching(/^GOOD: .*\nErasure .* of 1 report.*\nLines of the statement that stay, by number: \d+\.$/),
  ]);
  const [signed] = JSON.parse(await readFile(at('receipt.json'), 'utf8')) as { receipt: string }[];
  const forged = [{ ...signed, receipt: signed?.receipt.replace('"reports":1', '"reports":2') }];
  writeFileSync(at('forged.json'), JSON.stringify(forged));
  const bad = await runHere(server, 'subject', 'verify', at('forged.json'), '--keys', at('keys.json'));
  expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining('ALTERED')]);
  const replayed = await runHere(server, 'subject', 'replay', at('forged.json'), '--yes', '--json');
  expect([replayed.code, JSON.parse(replayed.stdout)]).toEqual([1, [{ kind: 'not-signed' }]]);
});

test('an export of several pages is one file with every report', async () => {
  const person = { firstName: 'Ada', lastName: 'Manypageson', dateOfBirth: '1984-03-09' };
  await Promise.all(Array.from({ length: 23 }, () => server.trefoil.generate(generateBody(person))));
  writeFileSync(at('many.json'), JSON.stringify({ ...person, postcode: 'HR10 2AB' }));
  const options = ['--tenant', server.demo.tenantId, '--person', at('many.json'), '--out', at('all.json')];
  expect(await runHere(server, 'subject', 'export', ...options)).toMatchObject({
    code: 0,
    stdout: 'Wrote 23 reports.',
  });
  const { reports } = JSON.parse(await readFile(at('all.json'), 'utf8')) as { reports: { creditReportId: string }[] };
  expect(new Set(reports.map(({ creditReportId }) => creditReportId)).size).toBe(23);
  writeFileSync(at('nobody.json'), JSON.stringify({ ...person, lastName: 'Nobodyatall', postcode: 'HR10 2AB' }));
  const nobody = ['--tenant', server.demo.tenantId, '--person', at('nobody.json'), '--out', at('none.json')];
  expect(await runHere(server, 'subject', 'export', ...nobody)).toMatchObject({
    ...{ code: 0, stdout: 'Nothing is held. No file was written.' },
  });
  await expect(readFile(at('none.json'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the file of the person is checked, and no message repeats it', async () => {
  writeFileSync(
    at('wrong.json'),
    JSON.stringify({ firstName: 'Quillonette', dateOfBirth: '1957-13-23', postcode: 'QQ' }),
  );
  const wrong = await runHere(
    server,
    'subject',
    'find',
    '--tenant',
    server.demo.tenantId,
    '--person',
    at('wrong.json'),
  );
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('lastName, dateOfBirth, postcode');
  expect(wrong.stderr).not.toMatch(/Quillonette|1957-13|QQ/);
});

test.skipIf(isMissing(TO_OWN_POSTGRES, canOwnPostgres))(
  'a copy restored by the write-ahead log to after the erasure has nothing of the person',
  async () => {
    const subject = newCanary('Snaresbrookham');
    const { data } = await server.trefoil.generate(liveBody(server.mintSession(), subject.request));
    expect(data.status).toBe('complete');
    writeFileSync(at('other.json'), JSON.stringify(subject.subject));
    const archived = await startArchived(server);
    try {
      const config = loadConfig({ ...server.environment, ...archived.environment });
      expect(findWords((await readCopy(archived.environment)).text, subject.words)).not.toEqual([]);
      const base = await archived.takeBase();
      const before = await archived.markTime();
      const options = ['--tenant', server.demo.tenantId, '--person', at('other.json')];
      expect(await runHere({ config }, 'subject', 'erase', ...options, '--yes')).toMatchObject({ code: 0 });

      // The control: to a moment before the erasure the same backup and log give the person back.
      const early = await base.recover(before);
      expect(findWords((await readCopy(early.environment)).text, subject.words)).not.toEqual([]);
      await early.close();

      const late = await base.recover();
      try {
        const { text } = await readCopy(late.environment);
        expect(findWords(text, subject.words)).toEqual([]);
        for (const word of keptOne.words) expect(text, word).toContain(word);
        // Neither are the words in the files of the copy, its log included: what they held was sealed before it came there.
        expect(await late.grep([...subject.words, ...SHARED_WORDS])).toEqual([]);
      } finally {
        await late.close();
      }
    } finally {
      await archived.close();
    }
  },
);
