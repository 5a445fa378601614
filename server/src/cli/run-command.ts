// placeholder
import type { Config } from '../config.ts';

export async function runCommand(_args: readonly string[], _load: () => Config): Promise<number> {
  return 0;
}
