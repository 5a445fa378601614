// What the script learns about the device: a digest of traits that stay the same between visits, and the few other
// facts that screening needs. docs/operate/privacy.md lists every one; a new one must be added there.
import { hashComponents, loadSources, prepareForSources, sources } from '@fingerprintjs/fingerprintjs';
import { randomHex } from './random-hex.ts';

export type Signals = {
  /** 32 hexadecimal characters. */
  readonly deviceDigest: string;
  readonly timeZone?: string;
  readonly automation: readonly string[];
  /** The digest is random, because the traits were not available in time. */
  readonly degraded: boolean;
};

/**
 * Traits of the machine and its browser engine. Left out on purpose: canvas, audio and fonts, which private windows
 * randomise at each visit; accessibility settings for sight or hearing; the ad blockers in use; languages and time
 * zone, which change when a person travels; and everything that would need an iframe or an inline style.
 */
const TRAITS = {
  platform: sources.platform,
  osCpu: sources.osCpu,
  cpuClass: sources.cpuClass,
  architecture: sources.architecture,
  hardwareConcurrency: sources.hardwareConcurrency,
  deviceMemory: sources.deviceMemory,
  screenResolution: sources.screenResolution,
  colorDepth: sources.colorDepth,
  colorGamut: sources.colorGamut,
  touchSupport: sources.touchSupport,
  vendor: sources.vendor,
  math: sources.math,
  webGlBasics: sources.webGlBasics,
};

/** The collection endpoint's maximum. */
const TIME_ZONE_CHARS_MAX = 64;

export async function gatherSignals(withinMs: number): Promise<Signals> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, withinMs));
  const digest = await Promise.race([digestOfTraits().catch(() => undefined), late]);
  return {
    // Random instead of a digest of the few traits gathered so far: many devices would share that digest and be
    // confused.
    deviceDigest: digest ?? randomHex(),
    ...readTimeZone(),
    automation: findAutomation(),
    degraded: digest === undefined,
  };
}

async function digestOfTraits(): Promise<string> {
  // Waits until the page is idle, and yields to the page between traits.
  await prepareForSources();
  return hashComponents(await loadSources(TRAITS, { cache: {} }, [])());
}

/** Left out when the browser does not provide it. */
function readTimeZone(): { readonly timeZone?: string } {
  try {
    const { Temporal } = window as { Temporal?: { readonly Now: { timeZoneId(): string } } };
    // The first formatter of a page takes some 60 ms, more than everything else here, so it is only the fallback.
    const timeZone: unknown = Temporal
      ? Temporal.Now.timeZoneId()
      : new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const isFit = typeof timeZone === 'string' && timeZone !== '' && timeZone.length <= TIME_ZONE_CHARS_MAX;
    return isFit ? { timeZone } : {};
  } catch {
    return {};
  }
}

const MARKERS: Readonly<Record<string, () => boolean>> = {
  webdriver: () => navigator.webdriver === true,
  headless: () => /headless/i.test(navigator.userAgent),
  phantom: () => 'callPhantom' in window || '_phantom' in window || '__nightmare' in window,
};

function findAutomation(): string[] {
  return Object.keys(MARKERS).filter((name) => {
    try {
      return MARKERS[name]?.() ?? false;
    } catch {
      return false;
    }
  });
}
