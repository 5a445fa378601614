// What the page's script learns of the device: a digest of traits that stay the same from visit to visit, and the few
// facts the decision needs beside it. docs/operate/privacy.md lists every one; whoever adds one adds it there.
import { hashComponents, loadSources, prepareForSources, sources } from '@fingerprintjs/fingerprintjs';
import { randomHex } from './random-hex.ts';

export type Signals = {
  /** 32 hexadecimal characters. */
  readonly deviceDigest: string;
  readonly timeZone?: string;
  readonly language?: string;
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
const LANGUAGE_CHARS_MAX = 35;

export async function gatherSignals(withinMs: number): Promise<Signals> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, withinMs));
  const digest = await Promise.race([digestOfTraits().catch(() => undefined), late]);
  return {
    // Of few traits, it would be shared by so many devices that one could be taken for another.
    deviceDigest: digest ?? randomHex(),
    ...given('timeZone', () => new Intl.DateTimeFormat().resolvedOptions().timeZone, TIME_ZONE_CHARS_MAX),
    ...given('language', () => navigator.language, LANGUAGE_CHARS_MAX),
    automation: findAutomation(),
    degraded: digest === undefined,
  };
}

async function digestOfTraits(): Promise<string> {
  // Waits for a quiet moment of the page, and gives the page its turn between traits.
  await prepareForSources();
  return hashComponents(await loadSources(TRAITS, { cache: {} }, [])());
}

/** A fact that a browser will not tell is left out. */
function given<Name extends string>(name: Name, read: () => unknown, charsMax: number): { [name in Name]?: string } {
  try {
    const value = read();
    const isFit = typeof value === 'string' && value !== '' && value.length <= charsMax;
    return (isFit ? { [name]: value } : {}) as { [name in Name]?: string };
  } catch {
    return {};
  }
}

const MARKERS: Readonly<Record<string, () => boolean>> = {
  webdriver: () => navigator.webdriver === true,
  headless: () => /headless/i.test(navigator.userAgent),
  phantom: () => 'callPhantom' in window || '_phantom' in window || '__nightmare' in window,
  'no-window': () => window.outerWidth === 0 && window.outerHeight === 0,
  'no-languages': () => navigator.languages.length === 0,
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
