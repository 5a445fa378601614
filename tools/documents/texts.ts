// The texts of a view, all of them and those that a page must show.

import type { Block, Table, View } from '../../server/src/documents/view/view.ts';
import { unreachable } from '../../server/src/lib/errors.ts';

/** What a text that lacks something reads like. */
export const FAULTY = /undefined|NaN|\[object/;

/** Every text inside a value. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

const wordsOfTable = ({ caption, columns, rows }: Table) => [
  ...[caption, ...columns.map(({ title }) => title)],
  ...rows.flatMap(({ cells }) => cells),
];

function wordsOfBlock(block: Block): string[] {
  switch (block.kind) {
    case 'paragraph':
      return [block.label ?? '', block.text];
    case 'table':
      return wordsOfTable(block);
    case 'definitions':
      return block.entries.flatMap(({ term, meaning }) => [term, meaning]);
    case 'timeline': {
      // The labels of bars are cut to their room: `alt` has them whole.
      const years = block.years.filter(({ isShown }) => isShown).map(({ label }) => label);
      return [block.alt, ...years, block.limit.label, block.bracket.label, block.caption];
    }
    case 'card':
      return [
        ...[block.title, block.aside, block.note, block.remark ?? ''],
        ...block.facts.flatMap(({ label, value }) => [label, value]),
        ...(block.table === null ? [] : wordsOfTable(block.table)),
      ];
    case 'check':
      return [...block.words, block.address, block.link, block.codeAlt, ...wordsOfTable(block.table)];
    default:
      return unreachable(block);
  }
}

/** What a reader of the page must find, each as often as it is said. */
export function wordsOfPage({ title, notice, subject, prepared, glance, sections, footer }: View): string[] {
  return [
    ...[title, notice ?? '', subject, prepared, glance.headline, ...glance.points],
    ...sections.flatMap((section) => [section.title, ...section.blocks.flatMap(wordsOfBlock)]),
    footer,
  ].filter((text) => text !== '');
}
