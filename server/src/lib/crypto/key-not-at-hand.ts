// A key that the work needs and that is not in memory. Whatever opens a sealed value is synchronous and may be inside a
// transaction, where nothing may wait for the network: it throws this, the transaction is rolled back, the key is loaded with
// nothing open, and the work runs again (docs/decisions/0258-a-key-service.md).

export class KeyNotAtHand extends Error {
  readonly keyId: string;
  /** Resolves when the key is in memory; rejects with what the client may be told. */
  readonly load: () => Promise<void>;

  constructor(keyId: string, load: () => Promise<void>) {
    super('a key is not in memory');
    this.name = 'KeyNotAtHand';
    this.keyId = keyId;
    this.load = load;
  }
}

/** As many as stay in memory. Work on one report needs one key; a batch of a rotation needs those of some months. */
const LOADS_MAX = 12;

/** Runs work that can be begun again from its start. Work that has its keys runs once and waits for nothing else. */
export async function withKeys<T>(work: () => T | Promise<T>): Promise<T> {
  for (let loads = 0; ; loads += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof KeyNotAtHand) || loads === LOADS_MAX) throw error;
      await error.load();
    }
  }
}

/** For synchronous work on the hot path: its result at once, or the promise of it where a key must be loaded first. */
export function nowOrWithKeys<T>(work: () => T): T | Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof KeyNotAtHand)) throw error;
    return error.load().then(() => withKeys(work));
  }
}
