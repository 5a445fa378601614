// Answers that wait until a test lets them go: the behaviour `held=word`, and `{"release":"word"}` to `/control`.
import { EventEmitter, once } from 'node:events';

export class Held {
  readonly #words = new Map<string, EventEmitter>();

  /** Rejects when the caller is gone before. */
  until(word: string, signal: AbortSignal): Promise<unknown> {
    const waiting = this.#words.get(word) ?? new EventEmitter().setMaxListeners(0);
    this.#words.set(word, waiting);
    return once(waiting, 'release', { signal });
  }

  release(word: string): void {
    this.#words.get(word)?.emit('release');
    this.#words.delete(word);
  }

  releaseAll(): void {
    for (const word of [...this.#words.keys()]) this.release(word);
  }
}
