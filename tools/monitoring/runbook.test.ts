// The runbook and the rules agree: every alert has a row in the table and links to a section that exists, and every row has a rule.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { addressOf, SECTIONS } from '../site/pages.ts';
import { RUNBOOK_URL } from './objectives.ts';
import { type Group, type Rule, readGroups } from './promtool.ts';

const RUNBOOK = 'docs/operate/runbook.md';
const page = readFileSync(RUNBOOK, 'utf8');
const files = ['trefoil-alerts.yml', 'trefoil-objectives.yml'].map((name) => `deploy/prometheus/${name}`);
const groups = (await Promise.all(files.map(readGroups))).flat();

/** The anchor of a heading, as GitHub and the site make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

const anchorsOf = (text: string) =>
  new Set([...text.matchAll(/^#{2,} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
const rowsOf = (text: string) => [...text.matchAll(/^\| `(Trefoil\w+)` \|/gm)].map(([, name = '']) => name);
const alertsOf = (of: readonly Group[]) => of.flatMap(({ rules }) => rules.filter(({ alert }) => alert !== undefined));

/** What is wrong with the link of an alert. */
function findLinkFault({ alert, annotations }: Rule, anchors: ReadonlySet<string>): string[] {
  const [address, anchor = ''] = (annotations?.['runbook_url'] ?? '').split('#');
  if (address !== RUNBOOK_URL) return [`${alert} links to ${address}`];
  return anchors.has(anchor) ? [] : [`${alert} links to #${anchor}, which is no section`];
}

test('every alert has one row in the runbook, and every row has a rule', () => {
  const rows = rowsOf(page);
  expect(rows).toHaveLength(new Set(rows).size);
  expect(rows.toSorted()).toEqual([...new Set(alertsOf(groups).map(({ alert = '' }) => alert))].toSorted());
});

test('every alert links to a section of the runbook, at the address of the site', () => {
  expect(alertsOf(groups).flatMap((rule) => findLinkFault(rule, anchorsOf(page)))).toEqual([]);
  const { slug } = SECTIONS.flatMap(({ pages }) => pages).find(({ file }) => file === RUNBOOK) ?? { slug: 'missing' };
  expect(new URL(RUNBOOK_URL).pathname).toBe(addressOf(slug));
});

test('every alert has a severity that Alertmanager routes, and a summary', () => {
  for (const { labels, annotations } of alertsOf(groups)) {
    expect(['page', 'ticket']).toContain(labels?.['severity']);
    expect(annotations?.['summary']).toMatch(/^[A-Z].*[^.]$/);
  }
});

test('Alertmanager keeps quiet about alerts that exist, and about all that a database that is down causes', () => {
  const { inhibit_rules: rules } = parse(readFileSync('deploy/prometheus/alertmanager.yml', 'utf8')) as {
    inhibit_rules: { source_matchers: string[]; target_matchers: string[] }[];
  };
  const named = rules.flatMap(({ source_matchers, target_matchers }) =>
    [...source_matchers, ...target_matchers].flatMap((matcher) => matcher.match(/Trefoil\w+/g) ?? []),
  );
  const known = alertsOf(groups).map(({ alert }) => alert);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  for (const name of [
    'TrefoilJobsStopped',
    'TrefoilGenerateUnavailable',
    'TrefoilOwnTimeSlow',
    'TrefoilSettlementLate',
  ])
    expect(named).toContain(name);
});

test('a dead link and a row without a rule are found', () => {
  const dead = { alert: 'X', expr: '1', annotations: { runbook_url: `${RUNBOOK_URL}#gone` } };
  expect(findLinkFault(dead, anchorsOf(page))).toEqual(['X links to #gone, which is no section']);
  expect(findLinkFault({ ...dead, annotations: { runbook_url: `${RUNBOOK_URL}#alerts` } }, anchorsOf(page))).toEqual(
    [],
  );
  expect(rowsOf('| `TrefoilX` | a |\n')).toEqual(['TrefoilX']);
});
