// The bare engine: pgbench writes the same rows as a live report, one transaction per report, prepared, on the same
// server with the same durability. No HTTP, no tokens, no encryption, no validation: the most PostgreSQL itself can do.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { keepReport } from '../../server/src/credit-reports/provenance/keep-report.ts';
import { newSalts } from '../../server/src/credit-reports/provenance/report-files.ts';
import { readLatenciesMs } from './pgbench-log.ts';
import { PEOPLE, sampleProvenance, sampleReport, sampleRequest } from './sample.ts';
import type { Stage, StageTenant } from './stage.ts';

const COST = 2_000;
const AUDIT_DETAILS = JSON.stringify({ cost: COST, reportSha256: 'ab'.repeat(32), provenanceSha256: 'ab'.repeat(32) });

/** A UUID from a number: making ids costs the engine nothing. */
const id = (name: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(:${name}::bigint), 12, '0'))::uuid`;

/** The tenants are in a small table, numbered from 1. Sealed columns have the same sizes as in the service. */
function script(wallets: number, sizes: { request: number; report: number; provenance: number }): string {
  const [report, person] = [id('report'), id('person')];
  return `\\set wallet random(1, ${wallets})
\\set report random(1, 140000000000000)
\\set person random(1, ${PEOPLE})
\\set network random(1, ${PEOPLE})
begin;
select tenant_id as tenant from bench_tenants where number = :wallet \\gset
insert into credit_reports (tenant_id, id, is_test, caller_id, status, external_reference_hash, sealed_request, sealed_report, sealed_provenance, bureau_results, settled_at)
 values (:tenant::uuid, ${report}, false, :tenant::uuid, 'complete', decode(repeat('ab', 32), 'hex'), convert_to(repeat('x', ${sizes.request}), 'utf8'),
         convert_to(repeat('x', ${sizes.report}), 'utf8'), convert_to(repeat('x', ${sizes.provenance}), 'utf8'), '[{"bureau":"equifax","outcome":"ok"},{"bureau":"experian","outcome":"ok"},{"bureau":"transunion","outcome":"ok"}]', clock_timestamp());
insert into data_keys (tenant_id, credit_report_id, ring_key_id, wrapped_key) values (:tenant::uuid, ${report}, 'k1', decode(repeat('ab', 61), 'hex'));
insert into holds (tenant_id, kind, source_id, amount, per_bureau, captured_amount, state, expires_at)
 values (:tenant::uuid, 'report', ${report}, ${COST}, 600, ${COST}, 'captured', clock_timestamp());
insert into sightings (subject_hash, identity_hash)
 values (uuid_send(${person}), uuid_send(${person})), (uuid_send(${id('network')}), uuid_send(${person}));
update wallets set balance = balance - ${COST}, last_seq = last_seq + 1 where tenant_id = :tenant::uuid returning last_seq as seq, balance \\gset
insert into ledger_txs (tenant_id, seq, kind, source_id, credit_report_id, balance_after)
 values (:tenant::uuid, :seq::bigint, 'report-charge', ${report}, ${report}, :balance::bigint);
insert into ledger_entries (tenant_id, seq, account, amount) values (:tenant::uuid, :seq::bigint, 'revenue' || chr(58) || 'report', ${COST}), (:tenant::uuid, :seq::bigint, 'wallet', -${COST});
insert into outbox (tenant_id, type, subject_id, credit_report_id, amount)
 values (:tenant::uuid, 'report.completed', ${report}, ${report}, ${COST}), (:tenant::uuid, 'wallet.charged', ${report}, ${report}, ${COST});
update audit_heads set seq = seq + 1, hash = decode(repeat('ab', 32), 'hex') where tenant_id = :tenant::uuid returning seq as place \\gset
insert into audit_log (tenant_id, seq, actor, action, subject_id, details, occurred_at, hash)
 values (:tenant::uuid, :place::bigint, :tenant, 'report.completed', ${report}, '${AUDIT_DETAILS}', clock_timestamp(), decode(repeat('ab', 32), 'hex'));
commit;
`;
}

async function prepareEngine(ownerUrl: string, tenantIds: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('drop table if exists bench_tenants');
  await client.query('create table bench_tenants (number integer primary key, tenant_id uuid not null)');
  await client.query(
    'insert into bench_tenants select ordinality, id from unnest($1::uuid[]) with ordinality as t (id, ordinality)',
    [tenantIds],
  );
  await client.query('insert into audit_heads (tenant_id) select tenant_id from bench_tenants on conflict do nothing');
  await client.end();
}

/** The stored sizes: a version byte, a nonce and a tag around the text. */
const sample = sampleReport();
const salts = newSalts();
const SIZES = {
  request: 29 + JSON.stringify(sampleRequest(0)).length,
  report: 29 + JSON.stringify(sample).length,
  provenance:
    29 +
    keepReport(JSON.stringify(sample), sampleProvenance(sample, salts.provenance), salts.report).packedProvenance
      .length,
};

export type Pace = { readonly rate: number; readonly seconds: number; readonly warmUpSeconds: number };

export type Engine = {
  /** Reports a second with this many clients. */
  measure(clients: number, seconds: number): Promise<number>;
  /** Sorted times of reports that are due at a fixed rate, each counted from when it was due. */
  measurePaced(clients: number, pace: Pace): Promise<Float64Array>;
  close(): void;
};

export async function openEngine({ ownerUrl }: Stage, tenants: readonly StageTenant[]): Promise<Engine> {
  await prepareEngine(
    ownerUrl,
    tenants.map(({ tenantId }) => tenantId),
  );
  const directory = mkdtempSync(join(tmpdir(), 'trefoil-bench-'));
  const file = join(directory, 'report.sql');
  writeFileSync(file, script(tenants.length, SIZES));
  const { hostname, port, username, pathname } = new URL(ownerUrl);
  async function pgbench(clients: number, seconds: number, more: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('pgbench', [
      ...['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', file, ...more],
      ...['-h', hostname, '-p', port || '5432', '-U', username, pathname.slice(1)],
    ]);
    return stdout;
  }
  return {
    async measure(clients, seconds) {
      const stdout = await pgbench(clients, seconds, []);
      const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
      if (Number.isNaN(perSecond)) throw new Error(`pgbench said: ${stdout}`);
      return perSecond;
    },
    async measurePaced(clients, { rate, seconds, warmUpSeconds }) {
      const logs = mkdtempSync(join(directory, 'logs-'));
      const pace = ['-R', String(rate), '-l', `--log-prefix=${join(logs, 'log')}`];
      await pgbench(clients, warmUpSeconds + seconds, pace);
      // One file for each thread of pgbench.
      const text = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
      rmSync(logs, { recursive: true });
      return readLatenciesMs(text.join(''), warmUpSeconds);
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}
