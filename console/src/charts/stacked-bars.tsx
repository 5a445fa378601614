// Bars by day, stacked. The drawing is for eyes; the same figures stand in a table for screen readers.
import { useState } from 'react';
import styles from './charts.module.css';
import { ticksTo } from './ticks.ts';
import { useWidth } from './use-width.ts';

export type Series<Row> = {
  readonly label: string;
  readonly color: string;
  readonly amountOf: (row: Row) => number;
};

type Props<Row> = {
  readonly caption: string;
  readonly rows: readonly Row[];
  /** From the ground up. */
  readonly series: readonly Series<Row>[];
  readonly labelOf: (row: Row) => string;
  readonly longLabelOf: (row: Row) => string;
  readonly format: (value: number) => string;
  readonly formatTick: (value: number) => string;
};

const HEIGHT = 230;
/** What a figure along the axis needs beside the plot, and each of its characters. */
const AXIS_GAP = 10;
const CHARACTER_WIDTH = 6.5;
const AXIS_MIN = 44;
const BOTTOM = 24;
const TOP = 8;
const PLOT = HEIGHT - TOP - BOTTOM;
const BAR_MAX = 34;
const PANEL_WIDTH = 196;
/** What a label below the bars needs. */
const LABEL_WIDTH = 62;

/** A bar whose upper corners are round. */
function barPath(x: number, y: number, width: number, height: number, round: number): string {
  const r = Math.min(round, height, width / 2);
  const top = `Q${x} ${y} ${x + r} ${y}H${x + width - r}Q${x + width} ${y} ${x + width} ${y + r}`;
  return `M${x} ${y + height}V${y + r}${top}V${y + height}Z`;
}

/** A day on which refunds prevail has no bar: its figure is in the panel and in the table. */
const heightOf = (value: number) => Math.max(0, value);

export function StackedBars<Row>({ caption, rows, series, labelOf, longLabelOf, format, formatTick }: Props<Row>) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const [over, setOver] = useState<number>();
  const sumOf = (row: Row) => series.reduce((sum, { amountOf }) => sum + amountOf(row), 0);
  const highest = Math.max(
    0,
    ...rows.map((row) => series.reduce((sum, each) => sum + heightOf(each.amountOf(row)), 0)),
  );
  const ticks = ticksTo(highest);
  const top = ticks.at(-1) || 1;
  const longest = Math.max(...ticks.map((tick) => formatTick(tick).length));
  const left = Math.max(AXIS_MIN, AXIS_GAP + longest * CHARACTER_WIDTH);
  const y = (value: number) => TOP + PLOT * (1 - value / top);
  const slot = (width - left) / Math.max(1, rows.length);
  const bar = Math.max(3, Math.min(BAR_MAX, slot * 0.64));
  const every = Math.ceil(rows.length / Math.max(2, Math.floor((width - left) / LABEL_WIDTH)));
  const shown = over === undefined ? undefined : rows[over];

  /** The last day is not over: it is paler, and called today. */
  const isToday = (index: number) => index === rows.length - 1;

  function follow(clientX: number, plotX: number) {
    const at = Math.floor((clientX - plotX - left) / slot);
    setOver(at >= 0 && at < rows.length ? at : undefined);
  }

  return (
    <figure>
      <div
        ref={ref}
        className={styles.plot}
        style={{ height: HEIGHT }}
        onPointerLeave={() => setOver(undefined)}
        onPointerMove={(event) => follow(event.clientX, event.currentTarget.getBoundingClientRect().left)}
      >
        {width > 0 && (
          <svg width={width} height={HEIGHT} aria-hidden="true">
            {ticks.map((tick) => (
              <g key={tick}>
                <line
                  x1={left}
                  x2={width}
                  y1={y(tick) + 0.5}
                  y2={y(tick) + 0.5}
                  className={tick === 0 ? styles.base : styles.grid}
                />
                <text x={left - AXIS_GAP} y={y(tick) + 4} textAnchor="end" className={styles.tick}>
                  {formatTick(tick)}
                </text>
              </g>
            ))}
            {over !== undefined && (
              <rect x={left + over * slot} y={TOP} width={slot} height={PLOT} rx={4} className={styles.band} />
            )}
            {rows.map((row, index) => {
              const x = left + index * slot + (slot - bar) / 2;
              let below = 0;
              return (
                <g key={labelOf(row)}>
                  {series.map(({ label, color, amountOf }, place) => {
                    const foot = y(below);
                    below += heightOf(amountOf(row));
                    // A line of the ground keeps two parts of a bar apart.
                    const height = Math.max(0, foot - y(below) - (place > 0 ? 1 : 0));
                    const round = place === series.length - 1 ? 3 : 0;
                    return (
                      <path
                        key={label}
                        d={barPath(x, y(below), bar, height, round)}
                        fill={color}
                        opacity={isToday(index) ? 0.5 : 1}
                      />
                    );
                  })}
                  {(rows.length - 1 - index) % every === 0 && (
                    <text
                      x={Math.min(x + bar / 2, width - 16)}
                      y={HEIGHT - 6}
                      textAnchor="middle"
                      className={styles.tick}
                    >
                      {isToday(index) ? 'Today' : labelOf(row)}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
        {shown !== undefined && over !== undefined && (
          <div
            className={styles.panel}
            style={{
              left: Math.max(0, Math.min(width - PANEL_WIDTH, left + (over + 0.5) * slot - PANEL_WIDTH / 2)),
            }}
            aria-hidden="true"
          >
            <strong>{longLabelOf(shown)}</strong>
            {series.toReversed().map(({ label, color, amountOf }) => (
              <span key={label}>
                <i style={{ background: color }} />
                {label}
                <b>{format(amountOf(shown))}</b>
              </span>
            ))}
            <span className={styles.total}>
              Total<b>{format(sumOf(shown))}</b>
            </span>
          </div>
        )}
      </div>
      {/* Around the table: hidden itself, a table would keep its width. */}
      <div className="visually-hidden">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={labelOf(row)}>
                <th scope="row">{longLabelOf(row)}</th>
                {series.map(({ label, amountOf }) => (
                  <td key={label}>{format(amountOf(row))}</td>
                ))}
                <td>{format(sumOf(row))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** Which colour is what, and how much it is over all days. */
export function Legend<Row>({ rows, series, format }: Pick<Props<Row>, 'rows' | 'series' | 'format'>) {
  return (
    <p className={styles.legend}>
      {series.map(({ label, color, amountOf }) => (
        <span key={label}>
          <i style={{ background: color }} />
          {label} {format(rows.reduce((sum, row) => sum + amountOf(row), 0))}
        </span>
      ))}
    </p>
  );
}
