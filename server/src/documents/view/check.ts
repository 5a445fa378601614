// How a reader can find out whether the document is genuine.
import type { EvidenceFiles } from '../../evidence/evidence-files.ts';
import { column, paragraph, row } from './blocks.ts';
import { atLondon, longDay } from './dates.ts';
import type { Material } from './material.ts';
import type { Block, Section } from './view.ts';

export type Medium = 'page' | 'pdf';

const inGroups = (digits: string) => digits.match(/.{1,8}/g)?.join(' ') ?? '';

const OF_MEDIUM: Readonly<Record<Medium, readonly string[]>> = {
  pdf: [
    'This file carries a signed statement, the report as data, and what each agency said. Open the address, choose this file, and your browser checks it. The file does not leave your device.',
    'Without our page: VERIFY.txt, attached to this file, says how to do it with OpenSSL and our published key.',
    'It shows that Trefoil issued the data in this file and that they were not changed since. It does not show that an agency’s records are right.',
  ],
  page: [
    'The PDF of this report carries a signed statement, the report as data, and what each agency said. This page does not. Ask for the PDF, open the address, choose that file, and your browser checks it. The file does not leave your device.',
    'It shows that Trefoil issued the data in that file and that they were not changed since. It does not show that an agency’s records are right.',
  ],
};

function signedBlocks(
  { evidenceId, kid, statementSha256, verifyUrl, issuedAt }: EvidenceFiles,
  medium: Medium,
): Block[] {
  const { day, seconds } = atLondon(issuedAt);
  const link = verifyUrl.replace(/#.*/, '');
  return [
    {
      kind: 'check',
      words: OF_MEDIUM[medium],
      ...{ address: verifyUrl, link, linkName: 'Check this document online' },
      codeAlt: `QR code that opens ${link}`,
      table: {
        kind: 'table',
        caption: 'The signed statement',
        columns: [column('Signed statement', 0.22), column('Value', 0.78)],
        rows: [
          row(['Number', evidenceId]),
          row(['Fingerprint (SHA-256)', inGroups(statementSha256)]),
          row(['Key', kid]),
          row(['Issued', `${longDay(day)} at ${seconds} (UK time)`]),
        ],
      },
    },
  ];
}

function unsignedBlocks({ completed: { tenantName, creditReportId } }: Material): Block[] {
  return [
    paragraph(
      `This document carries no signed statement. ${tenantName} can look the report up by its number, ${creditReportId}.`,
    ),
  ];
}

export const checkSection = (material: Material, evidence: EvidenceFiles | undefined, medium: Medium): Section => ({
  id: 'check',
  title: 'Check this document',
  blocks: evidence === undefined ? unsignedBlocks(material) : signedBlocks(evidence, medium),
});
