// What the provenance of a report costs: time of this process for each step, and bytes. On a busy machine the time of the
// clock says little, so it measures the processor's.
import { createSecretKey, randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { keepReport } from '../../server/src/credit-reports/provenance/keep-report.ts';
import { DEFLATE } from '../../server/src/credit-reports/provenance/pack-provenance.ts';
import { digestFiles, newSalts, reportFiles } from '../../server/src/credit-reports/provenance/report-files.ts';
import { encrypt } from '../../server/src/lib/crypto/vault.ts';
import { buildProvenance } from '../../server/src/merge/build-provenance.ts';
import { mergeReport } from '../../server/src/merge/merge-report.ts';
import type { ProvenanceReply } from '../../server/src/merge/provenance.ts';
import { writeProvenance } from '../../server/src/merge/provenance-text.ts';
import { generateReport } from '../merge/generate.ts';
import { REGISTRY } from '../merge/lenders.ts';

const PEOPLE = 200;
const ROUNDS = 9;
const LEVELS = [1, 3, 6] as const;
const SEED = 1_729;

const key = createSecretKey(randomBytes(32));
const request = { firstName: 'Jon', lastName: 'Alden', dateOfBirth: '1984-03-09', addresses: [] };
const replies = (['equifax', 'experian', 'transunion'] as const).map(
  (bureau): ProvenanceReply => ({
    ...{ bureau, outcome: 'ok', accounts: 9, answeredAt: '2026-03-01T10:00:00.000Z', replySha256: 'ab'.repeat(32) },
  }),
);

const samples = Array.from({ length: PEOPLE }, (_, index) => {
  const { files } = generateReport(SEED, 'standard', index);
  const { report, merged } = mergeReport(request, files, REGISTRY);
  const provenance = buildProvenance(merged, { request, replies, salt: newSalts().provenance });
  const provenanceText = writeProvenance(provenance);
  return { merged, provenance, provenanceText, reportText: JSON.stringify(report), reportSalt: newSalts().report };
});
type Sample = (typeof samples)[number];

/** Microseconds for each report, the least of several rounds. */
function measure(work: (sample: Sample) => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (const sample of samples) work(sample);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / samples.length;
  });
  return Math.min(...times);
}

const mean = (sizeOf: (sample: Sample) => number) =>
  Math.round(samples.reduce((sum, sample) => sum + sizeOf(sample), 0) / samples.length);
const print = (name: string, value: number, unit: string) =>
  process.stdout.write(`${name.padEnd(28)}${value.toFixed(unit === 'µs' ? 1 : 0).padStart(10)} ${unit}\n`);

print(
  'records',
  mean(({ merged }) => merged.length),
  '',
);
print(
  'report',
  mean(({ reportText }) => reportText.length),
  'bytes',
);
print(
  'provenance',
  mean(({ provenanceText }) => provenanceText.length),
  'bytes',
);
print(
  'build',
  measure(({ merged }) => buildProvenance(merged, { request, replies, salt: newSalts().provenance })),
  'µs',
);
print(
  'write as JSON',
  measure(({ provenance }) => writeProvenance(provenance)),
  'µs',
);
for (const level of LEVELS) {
  print(
    `deflate, level ${level}`,
    measure(({ provenanceText }) => deflateRawSync(provenanceText, { ...DEFLATE, level })),
    'µs',
  );
  print(
    `  size`,
    mean(({ provenanceText }) => deflateRawSync(provenanceText, { ...DEFLATE, level }).length),
    'bytes',
  );
}
print(
  'digests of both files',
  measure((sample) => digestFiles(reportFiles(sample))),
  'µs',
);
const packed = samples.map(
  ({ reportText, provenance, reportSalt }) => keepReport(reportText, provenance, reportSalt).packedProvenance,
);
print(
  'seal',
  measure((sample) => encrypt(key, 'x', packed[samples.indexOf(sample)] ?? Buffer.of())),
  'µs',
);
const whole = measure(({ merged, reportText, reportSalt }) => {
  const provenance = buildProvenance(merged, { request, replies, salt: newSalts().provenance });
  return encrypt(key, 'x', keepReport(reportText, provenance, reportSalt).packedProvenance);
});
print('all of it', whole, 'µs');
