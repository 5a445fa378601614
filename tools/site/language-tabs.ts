// The same sample in several languages, one block after another, becomes one block with a choice of the language. The choice is
// radio buttons and needs no script: site/src/site.css hides the other languages, and site/public/languages.js only makes one
// choice hold for all samples. In the Markdown for GitHub and for programs the blocks stay as they are.

/** By the word after the fence, in the order of the buttons. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['bash', 'curl'],
  ['ts', 'TypeScript'],
  ['python', 'Python'],
  ['php', 'PHP'],
  ['go', 'Go'],
  ['java', 'Java'],
]);

/** The fences are kept, so that every second part is code. */
export const FENCED = /^(```[\s\S]*?^```[^\n]*)$/m;

/** Blocks of code with nothing between them. */
const RUN = /^```[\s\S]*?^```$(?:\s+^```[\s\S]*?^```$)*/gm;

type Sample = { readonly language: string; readonly blocks: readonly string[] };

/** Undefined unless the blocks are one sample in two languages or more. What a block prints belongs to it. */
function readSamples(blocks: readonly string[]): readonly Sample[] | undefined {
  const samples: Sample[] = [];
  for (const block of blocks) {
    const [info = ''] = block.slice(3).split('\n', 1);
    const last = samples.at(-1);
    if (info === 'text output' && last) samples.splice(-1, 1, { ...last, blocks: [...last.blocks, block] });
    else samples.push({ language: info.split(' ', 1)[0] ?? '', blocks: [block] });
  }
  const languages = new Set(samples.map(({ language }) => language));
  const isOne = languages.size === samples.length && languages.size > 1;
  return isOne && [...languages].every((language) => LABELS.has(language)) ? samples : undefined;
}

/** Blank lines around a block let Markdown render it inside the element. */
function renderTabs(samples: readonly Sample[], name: string): string {
  const choices = samples.map(
    ({ language }, at) =>
      `<label><input type="radio" name="${name}" value="${language}"${at === 0 ? ' checked' : ''}>${LABELS.get(language)}</label>`,
  );
  const panels = samples.map(
    ({ language, blocks }) => `<div data-language="${language}">\n\n${blocks.join('\n\n')}\n\n</div>`,
  );
  return [
    '<div class="samples">',
    '<fieldset class="not-content" data-pagefind-ignore>',
    '<legend>Language</legend>',
    ...choices,
    '</fieldset>',
    ...panels,
    '</div>',
  ].join('\n');
}

export function withLanguageTabs(markdown: string): string {
  let count = 0;
  return markdown.replace(RUN, (run) => {
    const samples = readSamples(run.split(FENCED).filter((part) => part.trim() !== ''));
    if (!samples) return run;
    count += 1;
    return renderTabs(samples, `language-${count}`);
  });
}
