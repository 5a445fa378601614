// Evidence: a promise of our own (decisions 220 and 221), checked as a stranger would, with the published key alone.
import { createHash, createPublicKey, type JsonWebKey, randomUUID, verify } from 'node:crypto';
import { dig, digList, equal, fits, holds, same } from '../expect.ts';
import { generate, reportsPath, startChallenge } from '../journey.ts';
import { dataOf, metaOf, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import type { Api, Reply } from '../session.ts';
import { absent, count, exactly, filledText, instant, list, object, pattern, uuid } from '../shape.ts';

const digest = pattern('64 hexadecimal digits', /^[0-9a-f]{64}$/);
const sha256 = (text: unknown) => createHash('sha256').update(String(text)).digest('hex');

const evidence = (api: Api, creditReportId: unknown): Promise<Reply> =>
  api.send({ path: `${reportsPath(api.tenantId)}/${String(creditReportId)}/evidence` });

const shape = object({
  evidenceId: uuid,
  issuedAt: instant,
  kid: filledText,
  statement: filledText,
  signature: pattern('64 bytes in base64', /^[A-Za-z0-9+/]{86}==$/),
  files: list(object({ name: filledText, text: filledText, sha256: digest })),
  verifyUrl: pattern('an address with a fragment', /^https?:\/\/[^#]+\/v\/[0-9a-f-]{36}#[0-9a-f]{32}$/),
});

export const evidenceRows: readonly Row[] = [
  {
    id: 'evidence/statement',
    title: 'a complete report has a statement that names it and the digests of its files; a second read gets the same',
    pins: 'Decisions 2 and 220',
    run: async ({ api }) => {
      const { creditReportId } = dataOf(await generate(api), 'complete');
      const reply = await evidence(api, creditReportId);
      fits('meta', metaOf(reply), object({ request: object({ timeTakenMs: count }), wallet: absent }));
      const data = dataOf(reply);
      fits('data', data, shape);
      const statement = JSON.parse(String(data['statement'])) as Record<string, unknown>;
      fits(
        'statement',
        statement,
        object({ type: exactly('trefoil/evidence/1'), isTest: exactly(true), issuedAt: instant }),
      );
      equal('creditReportId of the statement', statement['creditReportId'], creditReportId);
      equal('tenantId of the statement', statement['tenantId'], api.tenantId);
      for (const file of digList(data, 'files')) {
        equal('digest of a file', sha256(dig(file, 'text')), dig(file, 'sha256'));
        const named = digList(statement, 'files').find((each) => dig(each, 'name') === dig(file, 'name'));
        equal('digest in the statement', dig(named, 'sha256'), dig(file, 'sha256'));
      }
      const fragment = sha256(data['statement']).slice(0, 32);
      holds(String(data['verifyUrl']).endsWith(fragment), '128 bits of the digest of the statement', data['verifyUrl']);
      same('the second answer', dataOf(await evidence(api, creditReportId)), data);
    },
  },
  {
    id: 'evidence/signature',
    title:
      'the published key, without its private half, verifies the signature of the statement; a changed byte does not',
    pins: 'Decisions 220 and 221',
    run: async ({ api }) => {
      const { creditReportId } = dataOf(await generate(api), 'complete');
      const data = dataOf(await evidence(api, creditReportId));
      const published = await api.send({ path: '/.well-known/trefoil-evidence-keys.json', authorization: null });
      equal('status', published.status, 200);
      const key = digList(published.body, 'keys').find((each) => dig(each, 'kid') === data['kid']);
      fits(
        'key',
        key,
        object({ kty: exactly('OKP'), crv: exactly('Ed25519'), x: filledText, validFrom: instant, d: absent }),
      );
      const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
      const signature = Buffer.from(String(data['signature']), 'base64');
      const isSigned = (text: string) => verify(null, Buffer.from(text), publicKey, signature);
      holds(isSigned(String(data['statement'])), 'a signature of the statement', data['signature']);
      holds(!isSigned(`${String(data['statement'])} `), 'a signature of nothing else', data['signature']);
    },
  },
  {
    id: 'evidence/none',
    title: '409 for a report that is not complete, 404 for one that is not there',
    pins: 'Decisions 7 and 220',
    run: async ({ api }) => {
      const { creditReportId } = await startChallenge(api);
      refused(await evidence(api, creditReportId), 409, 'conflict');
      refused(await evidence(api, randomUUID()), 404, 'credit-report-not-found');
    },
  },
];
