// Which wire speaks for which bureau. The public names are the interface's; the adapters know nothing of them, and the
// configuration joins the two.
import { BUREAUS, type Bureau } from '@trefoil/contract';
import { unreachable } from '../lib/errors.ts';
import { createAlbion } from './albion/adapter.ts';
import type { AlbionCredentials } from './albion/request.ts';
import { type AskBureaus, type AskBureausOptions, createAskBureaus } from './ask-bureaus.ts';
import { createBeacon } from './beacon/adapter.ts';
import type { BeaconCredentials } from './beacon/request.ts';
import { type BureauLine, openLine } from './call-bureau.ts';
import { createCygnet } from './cygnet/adapter.ts';
import type { CygnetCredentials } from './cygnet/request.ts';
import { type GuardOptions, guardBureau } from './guard-bureau.ts';
import type { BureauAdapter } from './port.ts';

export type BureauWire =
  | { readonly adapter: 'albion'; readonly credentials: AlbionCredentials }
  | { readonly adapter: 'beacon'; readonly credentials: BeaconCredentials }
  | { readonly adapter: 'cygnet'; readonly credentials: CygnetCredentials };

export type BureauSettings = BureauWire & GuardOptions & { readonly baseUrl: string };

export type BureausConfig = Readonly<Record<Bureau, BureauSettings>>;

export type Bureaus = {
  /** Every chosen bureau once, in parallel; never rejects. */
  readonly ask: AskBureaus;
  close(): Promise<void>;
};

/** The adapter of a wire, without guards. */
export function createAdapter(line: BureauLine, wire: BureauWire): BureauAdapter {
  switch (wire.adapter) {
    case 'albion':
      return createAlbion(line, wire.credentials);
    case 'beacon':
      return createBeacon(line, wire.credentials);
    case 'cygnet':
      return createCygnet(line, wire.credentials);
    default:
      return unreachable(wire);
  }
}

export function createBureaus(config: BureausConfig, options: AskBureausOptions = {}): Bureaus {
  const lines: BureauLine[] = [];
  const guarded = BUREAUS.map((bureau) => {
    const settings = config[bureau];
    const { baseUrl, timeoutMs, maxConcurrent } = settings;
    // One more than can be in flight, so that a token is never behind the enquiries that wait for it.
    const line = openLine({ baseUrl, timeoutMs, connections: maxConcurrent + 1 });
    lines.push(line);
    return [bureau, guardBureau(createAdapter(line, settings), settings)] as const;
  });
  const adapters = Object.fromEntries(guarded) as Record<Bureau, BureauAdapter>;
  return {
    ask: createAskBureaus(adapters, options),
    close: async () => {
      await Promise.all(lines.map((line) => line.close()));
    },
  };
}
