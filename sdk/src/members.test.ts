// The calls about members, settings and consumers' rights: method, address and body as sent over the wire, with a person's own token.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTrefoil, type Trefoil } from './index.ts';

const tenantId = '01998a00-0000-7000-8000-000000000001';
const id = '01998a00-0000-7000-8000-0000000000ab';
let asked: string[] = [];
let server: Server;
let trefoil: Trefoil;
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      asked.push(
        `${request.method} ${request.url} ${body}${request.headers.authorization === 'Bearer mine' ? '' : '!'}`,
      );
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"meta":{},"data":{}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  trefoil = createTrefoil({ baseUrl, tenantId, getToken: async () => 'mine' });
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
});

const SUBJECT = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09', postcode: 'HR10 2AB' };

const CALLS: [string, () => Promise<unknown>, string][] = [
  ['listMembers', () => trefoil.listMembers({ limit: 5, cursor: 'x' }), 'GET /members?limit=5&cursor=x '],
  ['changeMember', () => trefoil.changeMember(id, 'admin'), `PATCH /members/${id} {"role":"admin"}`],
  ['removeMember', () => trefoil.removeMember(id), `DELETE /members/${id} `],
  ['removeMember, confirmed', () => trefoil.removeMember(id, { confirm: true }), `DELETE /members/${id}?confirm=true `],
  ['listInvitations', () => trefoil.listInvitations(), 'GET /invitations '],
  [
    'inviteMember',
    () => trefoil.inviteMember('ada@example.com', 'analyst'),
    'POST /invitations {"email":"ada@example.com","role":"analyst"}',
  ],
  ['revokeInvitation', () => trefoil.revokeInvitation(id), `DELETE /invitations/${id} `],
  ['getSettings', () => trefoil.getSettings(), 'GET /settings '],
  ['changeSettings', () => trefoil.changeSettings({ retentionDays: 7 }), 'PATCH /settings {"retentionDays":7}'],
  [
    'changeSettings, confirmed',
    () => trefoil.changeSettings({ otpHost: null }, { confirm: true }),
    'PATCH /settings?confirm=true {"otpHost":null}',
  ],
  ['previewRetention', () => trefoil.previewRetention(7), 'GET /settings/retention-preview?retentionDays=7 '],
  ['findSubject', () => trefoil.findSubject(SUBJECT), `POST /subjects/find ${JSON.stringify(SUBJECT)}`],
  [
    'exportSubject',
    () => trefoil.exportSubject({ ...SUBJECT, cursor: id }),
    `POST /subjects/export ${JSON.stringify({ ...SUBJECT, cursor: id })}`,
  ],
  ['eraseSubject', () => trefoil.eraseSubject(SUBJECT), `POST /subjects/erase ${JSON.stringify(SUBJECT)}`],
  ['resendInvitation', () => trefoil.resendInvitation(id), `POST /invitations/${id}/resend `],
];
for (const [name, call, line] of CALLS) {
  test(`${name} asks as documented, with the caller's own token`, async () => {
    expect(await call()).toEqual({ meta: {}, data: {} });
    expect(asked).toEqual([line.replace(' /', ` /${tenantId}/v1/`)]);
  });
}

test('exportSubjectDocument gives the bytes of the answer', async () => {
  const bytes = await trefoil.exportSubjectDocument(SUBJECT);
  expect(new TextDecoder().decode(bytes)).toBe('{"meta":{},"data":{}}');
  expect(asked).toEqual([`POST /${tenantId}/v1/subjects/export-document ${JSON.stringify(SUBJECT)}`]);
});
