// Grafana's JSON of a dashboard. Panels stand three in a row; the data source is a choice at the top of the page.
import type { Dashboard, Panel, Unit } from './dashboards.ts';

const UNITS: Readonly<Record<Unit, string>> = {
  'per-second': 'reqps',
  'times-per-second': 'ops',
  'bytes-per-second': 'Bps',
  seconds: 's',
  share: 'percentunit',
  count: 'short',
  bytes: 'bytes',
  credits: 'short',
};
const WIDTH = 8;
const HEIGHT = 8;
const PER_LINE = 3;
const SCHEMA_VERSION = 38;
const SOURCE = { type: 'prometheus', uid: '$source' };

function panelJson({ title, about, unit, isNumber, queries }: Panel, id: number, x: number, y: number) {
  return {
    id,
    type: isNumber ? 'stat' : 'timeseries',
    title,
    ...(about !== undefined && { description: about }),
    datasource: SOURCE,
    gridPos: { h: HEIGHT, w: WIDTH, x, y },
    fieldConfig: { defaults: { unit: UNITS[unit], min: 0 }, overrides: [] },
    options: isNumber
      ? { reduceOptions: { calcs: ['lastNotNull'] }, textMode: 'value_and_name' }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: Object.entries(queries).map(([legendFormat, expr], place) => ({
      refId: String.fromCodePoint('A'.charCodeAt(0) + place),
      datasource: SOURCE,
      expr,
      legendFormat,
    })),
  };
}

export function dashboardJson({ id: uid, title, rows }: Dashboard): string {
  const panels: object[] = [];
  let y = 0;
  for (const [heading, own] of Object.entries(rows)) {
    panels.push({ id: panels.length + 1, type: 'row', title: heading, gridPos: { h: 1, w: 24, x: 0, y }, panels: [] });
    y += 1;
    for (const [place, panel] of own.entries()) {
      const line = Math.floor(place / PER_LINE);
      panels.push(panelJson(panel, panels.length + 1, (place % PER_LINE) * WIDTH, y + line * HEIGHT));
    }
    y += Math.ceil(own.length / PER_LINE) * HEIGHT;
  }
  const source = { name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus', hide: 0 };
  const dashboard = {
    ...{ uid, title, tags: ['trefoil'], timezone: 'browser', editable: false, schemaVersion: SCHEMA_VERSION },
    ...{ refresh: '30s', time: { from: 'now-6h', to: 'now' } },
    templating: { list: [source] },
    links: [{ title: 'Trefoil', type: 'dashboards', tags: ['trefoil'], asDropdown: true, keepTime: true }],
    panels,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}
