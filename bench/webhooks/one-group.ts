// The control of the webhooks benchmark: loaded into a worker before its own code, it gives all endpoints one group of ten
// places, and lets attempts that hang keep theirs. Dead receivers then delay the others, and the benchmark must say so.
import { registerHooks } from 'node:module';

const CHANGES: readonly (readonly [file: string, from: string, to: string])[] = [
  ['webhooks/turn-store.ts', 'and turn.is_proven = ', 'and '],
  ['webhooks/turn-store.ts', 'and look.is_proven = ', 'and '],
  ['webhooks/deliver.ts', 'proven: { places: 200', 'proven: { places: 10'],
  ['webhooks/settling/settle-attempt.ts', 'SLOW_MS = 3_000', 'SLOW_MS = 600_000'],
];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const changes = CHANGES.filter(([file]) => url.endsWith(`/server/src/${file}`));
    if (changes.length === 0) return loaded;
    let source = String(loaded.source);
    for (const [file, from, to] of changes) {
      if (!source.includes(from)) throw new Error(`the control of the benchmark does not find its place in ${file}`);
      source = source.replace(from, to);
    }
    return { ...loaded, source };
  },
});
