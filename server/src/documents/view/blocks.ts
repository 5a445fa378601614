// Short ways to write the parts of the view that every section has.
import type { Column, Paragraph, Row } from './view.ts';

export const paragraph = (text: string, tone: Paragraph['tone'] = 'plain'): Paragraph => ({
  ...{ kind: 'paragraph', label: null, text, tone },
});

/** `share`: part of the table's width. */
export const column = (title: string, share: number, align: Column['align'] = 'start'): Column => ({
  ...{ title, share, align },
});

export const row = (cells: readonly string[]): Row => ({ cells, mark: null });
