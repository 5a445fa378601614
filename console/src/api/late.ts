// Code that comes when it is first wanted. Where it does not come, the caller keeps what is on the page and says so
// (docs/decisions/0228-the-console.md).
import { onlineManager } from '@tanstack/react-query';

export class NotLoadedError extends Error {
  /** The service answers all the same: the file went with an older build, or this page cannot ask for it again. */
  readonly needsNewPage: boolean;

  constructor(needsNewPage: boolean, cause?: unknown) {
    super(
      needsNewPage
        ? 'The console may have been updated since you opened it.'
        : 'The service could not be reached. Check your connection.',
      { cause },
    );
    this.needsNewPage = needsNewPage;
  }
}

export type Late<Code> = {
  /** Undefined until it has come. */
  readonly code: Code | undefined;
  /** Asks again after each failure, which is a NotLoadedError. */
  load(): Promise<void>;
  /** The same for what may be wanted soon: a failure is told when it is. */
  ahead(): Promise<void>;
};

async function isServiceThere(): Promise<boolean> {
  try {
    return (await fetch('/console', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

export function late<Code>(fetchCode: () => Promise<Code>): Late<Code> {
  let code: Code | undefined;
  let coming: Promise<void> | undefined;
  /** The build's loader takes a style that failed once for one that is there. */
  let lacksStyle: Error | undefined;

  async function fetchOnce(): Promise<void> {
    // Not even tried: some browsers answer every later import of the same file with the failure of the first.
    if (!onlineManager.isOnline()) throw new NotLoadedError(false);
    try {
      if (lacksStyle) throw lacksStyle;
      code = await fetchCode();
    } catch (cause) {
      if (cause instanceof Error && cause.message.startsWith('Unable to preload CSS')) lacksStyle = cause;
      throw new NotLoadedError(await isServiceThere(), cause);
    }
  }

  const load = async () => {
    if (code !== undefined) return;
    coming ??= fetchOnce().finally(() => {
      coming = undefined;
    });
    await coming;
  };
  return {
    get code() {
      return code;
    },
    load,
    ahead: () => load().catch(() => {}),
  };
}
