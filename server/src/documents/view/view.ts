// What a document shows, as data: every word, every figure, every place on the chart. Painters add ink and nothing else,
// so that HTML and PDF cannot say different things (docs/decisions/0222-documents.md).

/** Why a row is tinted. A word in the row says it too, since colour alone tells nothing to some readers. */
export type Mark = 'differs' | 'attention';

export type Column = {
  readonly title: string;
  /** Part of the table's width. */
  readonly share: number;
  /** Figures end at the same place, so that they can be compared. */
  readonly align: 'start' | 'end';
};

export type Row = { readonly cells: readonly string[]; readonly mark: Mark | null };

/** The first column names the row. */
export type Table = {
  readonly kind: 'table';
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
};

export type Paragraph = {
  readonly kind: 'paragraph';
  /** What it is about, in bold; null for none. */
  readonly label: string | null;
  readonly text: string;
  readonly tone: 'plain' | 'strong' | 'quiet';
};

export type Definitions = {
  readonly kind: 'definitions';
  readonly entries: readonly { readonly term: string; readonly meaning: string }[];
};

export type Bar = {
  readonly label: string;
  /** From 0, the chart's begin, to 1, its end. */
  readonly from: number;
  readonly to: number;
  /** `running`: an arrow. `unknown`: no agency says when it ended, so only its start is drawn. */
  readonly end: 'known' | 'running' | 'unknown';
  readonly beganEarlier: boolean;
  readonly labelAt: 'before' | 'inside' | 'after';
  /** How much of the chart's width the label has. */
  readonly labelShare: number;
};

export type Timeline = {
  readonly kind: 'timeline';
  readonly alt: string;
  readonly bars: readonly Bar[];
  readonly years: readonly { readonly label: string; readonly at: number; readonly isShown: boolean }[];
  /** The part from 0 to here is shaded. */
  readonly limit: { readonly at: number; readonly label: string };
  readonly bracket: { readonly from: number; readonly to: number; readonly label: string };
  readonly today: number;
  readonly caption: string;
};

export type Fact = { readonly label: string; readonly value: string };

export type Card = {
  readonly kind: 'card';
  readonly id: string;
  readonly title: string;
  readonly aside: string;
  readonly note: string;
  readonly facts: readonly Fact[];
  readonly table: Table | null;
  /** Instead of the table; null with one. */
  readonly remark: string | null;
};

export type Check = {
  readonly kind: 'check';
  readonly words: readonly string[];
  /** Opened by the link and by the code beside it. */
  readonly address: string;
  readonly link: string;
  readonly linkName: string;
  readonly codeAlt: string;
  readonly table: Table;
};

export type Block = Paragraph | Table | Definitions | Timeline | Card | Check;

export type Section = { readonly id: string; readonly title: string; readonly blocks: readonly Block[] };

export type View = {
  readonly language: 'en-GB';
  /** The same for every document of its kind: it is in the file's metadata too. */
  readonly title: string;
  /** On every page. */
  readonly notice: string | null;
  /** Whom it is about: a person, or a company. */
  readonly subject: string;
  readonly prepared: string;
  readonly glance: { readonly headline: string; readonly points: readonly string[] };
  readonly sections: readonly Section[];
  readonly footer: string;
  /** For documents with pages: `{page}` and `{pages}` stand for the numbers. */
  readonly pageWords: string;
  /** The moment of its data, which is also the file's date. */
  readonly datedAt: string;
};
