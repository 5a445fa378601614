// Keeps the plants applicable between the rare runs with them: a change that moves the code they edit fails here.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { editedFiles } from '../breakages/copy.ts';
import { PLANTS } from './plants.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

for (const plant of PLANTS) {
  test(`${plant.id} still applies: each text to replace occurs exactly once`, async () => {
    const texts = await editedFiles(ROOT, plant);
    expect([...texts.keys()].every((file) => file.startsWith('server/src/'))).toBe(true);
  });
}
