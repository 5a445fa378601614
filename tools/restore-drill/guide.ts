// The statements of the guide that an operator runs after a restore: the drill runs them as they are written there.
import { readFileSync } from 'node:fs';

const GUIDE = new URL('../../docs/operate/backups.md', import.meta.url);

/** So that no event gets an id or a sequence that was used before. */
export function readGuideStatements(): readonly string[] {
  const [, statements = ''] = /```sql\n([^`]*event_marks[^`]*)```/.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const found = statements.split(';\n').filter((statement) => statement.trim() !== '');
  if (found.length === 0) throw new Error('docs/operate/backups.md has no statements about event_marks');
  return found;
}
