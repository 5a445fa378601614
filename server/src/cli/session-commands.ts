// Device sessions by hand: what a consumer's browser gets from the fingerprint script, for trying live mode
// without a browser.
import { randomBytes } from 'node:crypto';
import { createDeviceSessions } from '../fingerprints/device-session.ts';
import { defineConfiguredCommand } from './command.ts';
import { optional, text } from './options.ts';

export const SESSION_COMMANDS = [
  defineConfiguredCommand({
    noun: 'session',
    verb: 'mint',
    summary: 'Make a device session for the sessionId of a live request.',
    notes:
      'It is valid for 30 minutes, and its first use binds it to one tenant and one person. It says nothing about a real\n' +
      'device: use it to try live mode, not to serve consumers.',
    options: { ip: optional(text, 'The address that the session claims to come from (default 192.0.2.10).') },
    example: 'session mint',
    async runConfigured({ vaultKeys }, { ip }) {
      const now = new Date();
      const sessionId = createDeviceSessions(vaultKeys).seal(
        {
          deviceDigest: randomBytes(16).toString('hex'),
          collectedAt: now.toISOString(),
          network: { ipAddress: ip ?? '192.0.2.10', userAgentFamily: null },
        },
        now,
      );
      return { text: sessionId, data: { sessionId } };
    },
  }),
];
