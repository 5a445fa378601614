// Files in a layout that no simulator sends: the reader must lose no part of them silently.
import { describe, expect, test } from 'vitest';
import type { BureauWarning } from '../port.ts';
import { readReply } from './reply.ts';

const ASKED = { enquiryId: 'enquiry-1', dateOfBirth: '1984-03-09' };
const OK = '<outcome code="OK"/><subject dob="1984-03-09"/>';
const ACCOUNT = '<acct ref="A-1" ty="HP"><now st="O"/></acct>';

function read(content: string, beside = '') {
  const text = `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/" xmlns:rpt="urn:albion:report:3">
<env:Body><rpt:Enquiry ver="3" enqId="enquiry-1">${content}</rpt:Enquiry>${beside}</env:Body></env:Envelope>`;
  return readReply({ status: 200, contentType: 'text/xml', bytes: Buffer.from(text) }, ASKED);
}

describe('an account that is not where accounts stand', () => {
  const rows: readonly (readonly [name: string, content: string, beside?: string])[] = [
    ['in a section of a new name', `${OK}<accts/><agreements><agr ref="A-1" ty="HP"/></agreements><foot/>`],
    ['in a group', `${OK}<accts><grp><agr ref="A-1" ty="HP"/></grp></accts><foot/>`],
    ['in a group, under its own name', `${OK}<accts><grp>${ACCOUNT}</grp></accts><foot/>`],
    ['under a new name', `${OK}<accts><agr ref="A-1" ty="HP"/></accts><foot/>`],
    ['under a new name, without a reference', `${OK}<accts><agr ty="HP"/></accts><foot/>`],
    ['in the foot', `${OK}<accts/><foot>${ACCOUNT}</foot>`],
    ['in another account', `${OK}<accts><acct ref="A-1"><part ref="A-2"/></acct></accts><foot/>`],
    ['masked by one without a reference', `${OK}<accts><acct ty="HP"/></accts><agr ref="A-2"/><foot/>`],
    ['beside the enquiry', `${OK}<accts/><foot/>`, '<agr ref="A-1"/>'],
    ['in a no-trace', '<outcome code="NT"/><agr ref="A-1"/>'],
  ];
  for (const [name, content, beside] of rows) {
    test(`${name}: unintelligible`, () => expect(read(content, beside)).toMatchObject({ reason: 'unintelligible' }));
  }
});

describe('elements nobody knows cost no account and are counted', () => {
  const rows: readonly (readonly [name: string, content: string, warnings: readonly BureauWarning[]])[] = [
    ['none', `${OK}<accts>${ACCOUNT}</accts><foot/>`, []],
    [
      'addresses of a new name',
      `${OK}<premises/><premises/><accts>${ACCOUNT}</accts><foot/>`,
      [{ field: 'enquiry.element', kind: 'unknown-code', count: 2 }],
    ],
    [
      'searches of a new name',
      `${OK}<accts>${ACCOUNT}</accts><foot><search org="X" dt="2025-11-03"/></foot>`,
      [{ field: 'search.element', kind: 'unknown-code', count: 1 }],
    ],
    [
      'searches in a section of a new name',
      `${OK}<accts>${ACCOUNT}</accts><searches><srch org="X" dt="2025-11-03"/></searches>`,
      [
        { field: 'enquiry.element', kind: 'unknown-code', count: 1 },
        { field: 'searches', kind: 'missing-section', count: 1 },
      ],
    ],
  ];
  for (const [name, content, warnings] of rows) {
    test(name, () => {
      const outcome = read(content);
      if (outcome.kind !== 'ok') throw new Error(outcome.kind);
      expect(outcome.file.accounts).toMatchObject([{ ref: 'A-1' }]);
      expect(outcome.warnings.filter(({ field }) => !field.startsWith('account.'))).toEqual(warnings);
    });
  }
});
