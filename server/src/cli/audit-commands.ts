// The operator's audit log commands: verify the chains, and record where they end.
import { type Anchor, readAnchors, verifyChains } from '../audit/verify-chain.ts';
import { isUuid } from '../lib/ids.ts';
import { defineCommand, Refusal } from './command.ts';
import { loadText, saveFile } from './files.ts';
import { file, optional, tenantRef } from './options.ts';
import { table } from './print.ts';
import { requireTenant } from './require-found.ts';

function isAnchor(value: unknown): value is Anchor {
  const { tenantId, seq, hash } = (value ?? {}) as Partial<Record<keyof Anchor, unknown>>;
  const isPlace = Number.isSafeInteger(seq) && Number(seq) > 0;
  return typeof tenantId === 'string' && isUuid(tenantId) && isPlace && /^[0-9a-f]{64}$/.test(String(hash));
}

async function loadAnchors(path: string): Promise<Anchor[]> {
  const text = await loadText(path, 'anchor');
  let document: { anchors?: unknown } | null = null;
  try {
    document = JSON.parse(text);
  } catch {
    // Reported below.
  }
  const anchors = document?.anchors;
  if (Array.isArray(anchors) && anchors.length > 0 && anchors.every(isAnchor)) return anchors;
  throw new Refusal("The file of --anchor was not written by 'audit anchor', or it holds no anchor.");
}

const verifyCommand = defineCommand({
  noun: 'audit',
  verb: 'verify',
  summary: 'Check that no row of the audit log was deleted, edited, moved, inserted or cut off.',
  notes:
    'It reads every row while the service runs, and exits with 1 when it finds damage. The chain alone cannot show\n' +
    'that its end was cut off together with its head, or that the whole chain was rewritten: --anchor can, with a\n' +
    "file that 'audit anchor' wrote earlier and that was kept elsewhere.",
  options: {
    tenant: optional(tenantRef, 'Only the chain of this tenant.'),
    anchor: optional(file, "A file that 'audit anchor' wrote: the chains must still contain its anchors."),
  },
  example: 'audit verify --anchor /mnt/elsewhere/anchors-2026-03-01.json',
  async run(database, { tenant: tenantId, anchor }, { tell }) {
    if (tenantId !== undefined) await database.asSystem((tx) => requireTenant(tx, tenantId));
    const anchors = anchor === undefined ? [] : await loadAnchors(anchor);
    const verified = await verifyChains(database, { tenantId, anchors, onProgress: tell });
    const { rows, tenants, findings } = verified;
    const scope = `${rows.toLocaleString('en-GB')} ${rows === 1 ? 'row' : 'rows'} of ${tenants} ${tenants === 1 ? 'tenant' : 'tenants'}`;
    if (findings.length === 0) return { text: `Read ${scope}. Every chain is whole.`, data: verified };
    const lines = findings.map((each) => [each.tenantId, String(each.seq), each.kind, each.message]);
    return {
      text: `${table(['TENANT', 'SEQ', 'DAMAGE', 'WHAT'], lines)}\n\nRead ${scope} and found damage; see docs/operate/runbook.md.`,
      data: verified,
      isAlarm: true,
    };
  },
});

const anchorCommand = defineCommand({
  noun: 'audit',
  verb: 'anchor',
  summary: 'Record where every audit chain ends now, to keep it elsewhere.',
  notes:
    'Keep the output where the people who run the database cannot change it. Later, audit verify --anchor shows\n' +
    'whether anything before it was changed or cut off. It holds only ids and hashes.',
  options: { out: optional(file, 'A file to write, which must not exist yet; without it the anchors are printed.') },
  example: 'audit anchor --out /mnt/elsewhere/anchors-2026-03-01.json',
  async run(database, { out }) {
    const anchors = (await readAnchors(database)).filter(({ seq }) => seq > 0);
    const data = { madeAt: new Date().toISOString(), anchors };
    const document = JSON.stringify(data, null, 2);
    if (out === undefined) return { text: document, data };
    // Never overwrites an older file, which shows what has changed since.
    await saveFile(out, 'out', `${document}\n`);
    return { text: `Wrote ${anchors.length} ${anchors.length === 1 ? 'anchor' : 'anchors'}.`, data };
  },
});

export const AUDIT_COMMANDS = [verifyCommand, anchorCommand];
