// The samples of a document: code blocks marked `run`, and the output that the document promises for each.
//
//   ```bash run          or ts, python; all blocks of one language in one file are one program
//   ```text output       directly after a block: exactly what it prints

export type Language = 'bash' | 'ts' | 'python';
export const LANGUAGES: readonly Language[] = ['bash', 'ts', 'python'];

export type Block = {
  readonly code: string;
  /** What it must print; undefined where the document does not say. */
  readonly output: string | undefined;
  /** The line of the document where its code begins. */
  readonly line: number;
};

export type Sample = { readonly file: string; readonly language: Language; readonly blocks: readonly Block[] };

type Fence = { readonly info: string; readonly code: string; readonly line: number };

function readFences(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: { info: string; line: number; lines: string[] } | undefined;
  for (const [at, text] of markdown.split('\n').entries()) {
    if (open && text.startsWith('```')) {
      fences.push({ info: open.info, code: `${open.lines.join('\n')}\n`, line: open.line });
      open = undefined;
    } else if (open) open.lines.push(text);
    else if (text.startsWith('```')) open = { info: text.slice(3).trim(), line: at + 2, lines: [] };
  }
  return fences;
}

/** Throws for a mark that is misspelt: a sample that never runs would look like one that works. */
export function extractSamples(file: string, markdown: string): Sample[] {
  const fences = readFences(markdown);
  const blocks = new Map<Language, Block[]>();
  for (const [at, { info, code, line }] of fences.entries()) {
    const [language, mark, ...rest] = info.split(/\s+/);
    if (mark === undefined) continue;
    const fault = `${file}:${line - 1}: the mark of a sample is "run" after ${LANGUAGES.join(', ')}, or "text output": ${info}`;
    if (info === 'text output') {
      const before = fences[at - 1];
      if (!before?.info.endsWith(' run')) throw new Error(`${file}:${line - 1}: no sample is before this output`);
      continue;
    }
    const known = LANGUAGES.find((each) => each === language);
    if (!known || mark !== 'run' || rest.length > 0) throw new Error(fault);
    const next = fences[at + 1];
    const output = next?.info === 'text output' ? next.code : undefined;
    blocks.set(known, [...(blocks.get(known) ?? []), { code, output, line }]);
  }
  return [...blocks].map(([language, each]) => ({ file, language, blocks: each }));
}
