// What the page's script learns of the device: a digest of traits that stay the same from visit to visit, and the few
// facts the decision needs beside it. docs/operate/privacy.md lists every one; whoever adds one adds it there.
import { hashComponents, loadSources, prepareForSources, sources } from '@fingerprintjs/fingerprintjs';
import { randomHex } from './random-hex.ts';

export type Signals = {
  /** 32 hexadecimal characters. */
  readonly deviceDigest: string;
  readonly timeZone?: string;
  readonly automation: readonly string[];
  /** The digest is random, since the traits could not be had in time. */
  readonly degraded: boolean;
};

/**
 * Traits of the machine and its browser's engine. Left out on purpose: canvas, audio and fonts, which private windows
 * blur anew at each visit; settings that a person needs for their eyes or ears; what blockers they use; languages and
 * time zone, which change on a journey; and everything that would need an iframe or an inline style.
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

/** As the collection endpoint takes them. */
const TIME_ZONE_CHARS_MAX = 64;

export async function gatherSignals(withinMs: number): Promise<Signals> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, withinMs));
  const digest = await Promise.race([digestOfTraits().catch(() => undefined), late]);
  return {
    // Of few traits, it would be shared by so many devices that one could be taken for another.
    deviceDigest: digest ?? randomHex(),
    ...readTimeZone(),
    automation: findAutomation(),
    degraded: digest === undefined,
  };
}

async function digestOfTraits(): Promise<string> {
  // Waits for a quiet moment of the page, and gives the page its turn between traits.
  await prepareForSources();
  return hashComponents(await loadSources(TRAITS, { cache: {} }, [])());
}

/** Left out where a browser will not tell. */
function readTimeZone(): { readonly timeZone?: string } {
  try {
    const { Temporal } = window as { Temporal?: { readonly Now: { timeZoneId(): string } } };
    // The first formatter of a page costs it some 60 ms, more than all the rest here: only where nothing else tells.
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
