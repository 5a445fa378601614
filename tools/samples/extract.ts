// The samples of a document: code blocks marked `run`, and the output that the document promises for each.
//
//   ```bash run              or js, ts, python; all blocks of one language in one file are one program
//   ```bash run with-token   the same, after the quickstart's first block of this language, which gets the token: the first block of a program
//   ```text output           directly after a block: exactly what it prints

export type Language = 'bash' | 'js' | 'ts' | 'python';
export const LANGUAGES: readonly Language[] = ['bash', 'js', 'ts', 'python'];

export type Block = {
  readonly code: string;
  /** What it must print; undefined where the document does not say. */
  readonly output: string | undefined;
  /** The line of the document where its code begins. */
  readonly line: number;
};

export type Sample = {
  readonly file: string;
  readonly language: Language;
  readonly blocks: readonly Block[];
  /** It has the names that the quickstart's first block of its language makes. */
  readonly isWithToken?: true;
};

type Fence = { readonly info: string; readonly code: string; readonly line: number };

/** Those of lists too, which are indented. */
function readFences(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: { info: string; line: number; lines: string[]; indent: RegExp } | undefined;
  for (const [at, text] of markdown.split('\n').entries()) {
    const [, indent = '', info] = /^( *)```(.*)$/.exec(text) ?? [];
    if (open && info !== undefined) {
      fences.push({ info: open.info, code: `${open.lines.join('\n')}\n`, line: open.line });
      open = undefined;
    } else if (open) open.lines.push(text.replace(open.indent, ''));
    else if (info !== undefined)
      open = { info: info.trim(), line: at + 2, lines: [], indent: new RegExp(`^ {0,${indent.length}}`) };
  }
  return fences;
}

/** Throws for a mark that is misspelt: a sample that never runs would look like one that works. */
export function extractSamples(file: string, markdown: string): Sample[] {
  const fences = readFences(markdown);
  const blocks = new Map<Language, Block[]>();
  const withToken = new Set<Language>();
  for (const [at, { info, code, line }] of fences.entries()) {
    const [language, mark, ...rest] = info.split(/\s+/);
    if (mark === undefined) continue;
    const fault = `${file}:${line - 1}: the mark of a sample is "run" after ${LANGUAGES.join(', ')}, with "with-token" after it in the first block alone, or "text output": ${info}`;
    if (info === 'text output') {
      const before = fences[at - 1];
      if (!/ run( with-token)?$/.test(before?.info ?? ''))
        throw new Error(`${file}:${line - 1}: no sample is before this output`);
      continue;
    }
    const known = LANGUAGES.find((each) => each === language);
    const isWithToken = rest.join() === 'with-token' && known !== undefined && !blocks.has(known);
    if (!known || mark !== 'run' || (rest.length > 0 && !isWithToken)) throw new Error(fault);
    if (isWithToken) withToken.add(known);
    const next = fences[at + 1];
    const output = next?.info === 'text output' ? next.code : undefined;
    blocks.set(known, [...(blocks.get(known) ?? []), { code, output, line }]);
  }
  return [...blocks].map(([language, each]) => ({
    ...{ file, language, blocks: each },
    ...(withToken.has(language) && { isWithToken: true }),
  }));
}
