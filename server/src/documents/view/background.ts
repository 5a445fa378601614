// What no credit file can show, and the words that a reader may not know.
import type { Material } from './material.ts';
import type { Section } from './view.ts';

export const limitsSection = ({ limitWords }: Material): Section => ({
  id: 'limits',
  title: 'What no agency can show',
  blocks: (
    [
      [
        'Older agreements.',
        `An agreement normally leaves a file six years after it ended. One that ended before ${limitWords} can have existed without a trace here.`,
      ],
      [
        'Lenders that report elsewhere, or not at all.',
        'Many lenders report to one or two agencies only. Some report to none.',
      ],
      [
        'Commission.',
        'No credit file says whether a broker or dealer was paid a commission, how much, or under which arrangement.',
      ],
      [
        'The product’s exact name.',
        'Personal contract purchase (PCP) is normally reported as hire purchase. A final payment larger than the others is a sign of PCP, not proof.',
      ],
      [
        'Other names and addresses.',
        'A file kept under another name, or an address not given for this search, may not have been found.',
      ],
      [
        'What was bought.',
        'A file does not say what the credit paid for. Every agreement that any agency calls hire purchase or a lease is listed here as car finance, also one for furniture or a machine.',
      ],
      ['The vehicle.', 'Files do not hold the registration number.'],
    ] as const
  ).map(([label, text]) => ({ kind: 'paragraph', label, text, tone: 'plain' })),
});

export const glossarySection = ({ completed }: Material): Section => ({
  id: 'words',
  title: 'Words used',
  blocks: [
    {
      kind: 'definitions',
      entries: [
        {
          term: 'Agency',
          meaning: 'A credit reference agency: a company that keeps files on how people repay credit.',
        },
        {
          term: 'Hire purchase',
          meaning: 'Credit where the goods belong to the lender until the last payment. Includes most PCP agreements.',
        },
        {
          term: 'Final payment',
          meaning:
            'The last, larger payment of a PCP agreement, due only if the customer keeps the vehicle. Also called a balloon.',
        },
        { term: 'Settled', meaning: 'Paid off or ended, nothing left to pay.' },
        {
          term: 'Same?',
          meaning: 'Whether the agencies agree, apart from rounding. A dash means that there is nothing to compare.',
        },
        {
          term: 'Found nobody',
          meaning: 'The agency has no file for these details. It says nothing about credit under other details.',
        },
        {
          term: 'Did not answer',
          meaning: 'The agency gave no usable answer in time. What it holds is not known here.',
        },
        {
          term: 'Search',
          meaning: completed.isTest
            ? 'A note on a file that a company looked at it. This test left none.'
            : 'A note on a file that a company looked at it. This report left one with every agency that found a file.',
        },
      ],
    },
  ],
});
