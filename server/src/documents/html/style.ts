// The stylesheet of the HTML document. Contrast is at least 4.5:1 for text, in both colour schemes. Print is always light.
const LIGHT = `--back: #ffffff; --text: #17211c; --quiet: #505c55; --accent: #14613a; --tint: #eef5f0; --line: #c9d3cd;
  --warn: #fdf3e3; --on-warn: #8a4300; --shade: #e4e8e6; --focus: #0b57d0; --on-bar: #ffffff;`;
const DARK = `--back: #121815; --text: #e8eeea; --quiet: #b3bfb8; --accent: #7fd0a0; --tint: #1d2822; --line: #3c4942;
  --warn: #3a2c14; --on-warn: #f0b866; --shade: #27322c; --focus: #8ab4f8; --on-bar: #0b1a11;`;

export const STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
body { margin: 0 auto; max-width: 58rem; padding: 1.5rem 1rem 3rem; background: var(--back); color: var(--text); overflow-wrap: anywhere; }
h1 { font-size: 2rem; line-height: 1.2; margin: 1rem 0 .25rem; letter-spacing: -.01em; }
h2 { font-size: 1.375rem; line-height: 1.3; color: var(--accent); margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.125rem; line-height: 1.35; margin: 0; }
p { margin: 0 0 .75rem; }
h1, h2, h3, td, th, dd, p, li { unicode-bidi: plaintext; }
.brand { display: flex; align-items: center; gap: .5rem; font-weight: 650; font-size: 1.125rem; margin: 0 0 1rem; }
.brand svg { width: 1.5rem; height: 1.5rem; fill: var(--accent); }
.notice { background: var(--warn); color: var(--on-warn); font-weight: 650; padding: .5rem .875rem; border-radius: .25rem; }
.subject { font-size: 1.1875rem; margin: 0 0 .25rem; }
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
.strong { font-weight: 650; }
.glance { background: var(--tint); border-left: .3125rem solid var(--accent); border-radius: .25rem; padding: 1.125rem 1.375rem; margin: 1.25rem 0; }
.glance .headline { font-size: 1.3125rem; line-height: 1.3; font-weight: 650; margin: 0 0 .5rem; }
.glance ul { margin: 0; padding-left: 1.125rem; }
.glance li { margin: .25rem 0; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; margin: 0 0 1.25rem; font-size: .9375rem; line-height: 1.4; }
caption { text-align: left; color: var(--quiet); font-size: .875rem; padding: 0 0 .375rem; }
th, td { text-align: left; vertical-align: top; padding: .4375rem .5rem; border-bottom: 1px solid var(--line); }
thead th { background: var(--tint); border-bottom: 0; }
.long { overflow-wrap: anywhere; }
.end { text-align: right; font-variant-numeric: tabular-nums; }
tr.marked > * { background: var(--warn); }
tr.differs > :last-child { color: var(--on-warn); font-weight: 650; }
figure { margin: 0 0 1rem; }
/* On a phone it begins at its right end, where the newest agreements are. */
.chart { overflow-x: auto; direction: rtl; }
.chart svg { display: block; direction: ltr; width: 100%; min-width: 52rem; height: auto; font-size: 12.5px; fill: var(--text); }
.chart .shade { fill: var(--shade); }
.chart .bar { fill: var(--accent); }
.chart .lines { stroke: var(--text); fill: none; }
.chart .fine { stroke: var(--quiet); fill: none; }
.chart .soft { fill: var(--quiet); }
.chart .label { font-weight: 650; }
.chart .inside { fill: var(--on-bar); }
.chart .middle { text-anchor: middle; }
.chart .before { text-anchor: end; }
figcaption { color: var(--quiet); font-size: .875rem; }
.card { border-top: 2px solid var(--accent); padding: .75rem 0 .25rem; margin: 1.25rem 0 0; }
.head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .125rem 1rem; margin: 0 0 .25rem; }
.head p { margin: 0; font-weight: 650; }
.facts { display: grid; grid-template-columns: repeat(4, 1fr); gap: .625rem 1rem; margin: .75rem 0 1rem; }
.facts dt { color: var(--quiet); font-size: .8125rem; }
.facts dd { margin: 0; font-weight: 650; font-variant-numeric: tabular-nums; }
.words dt { font-weight: 650; }
.words dd { margin: 0 0 .5rem; }
.check { display: flex; gap: 1.5rem; justify-content: space-between; align-items: flex-start; }
.code { flex: none; width: 8.5rem; padding: .5rem; background: #ffffff; border-radius: .25rem; }
.code svg { display: block; width: 100%; height: auto; fill: #000000; }
a { color: var(--accent); font-weight: 650; text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
footer { border-top: 1px solid var(--line); margin: 2.5rem 0 0; padding: .75rem 0 0; color: var(--quiet); font-size: .875rem; }
@media screen and (max-width: 52rem) {
  h1 { font-size: 1.625rem; }
  .facts { grid-template-columns: repeat(2, 1fr); }
  .check { flex-direction: column; }
  .wide { overflow-wrap: anywhere; }
  table.wide, .wide caption, .wide tbody, .wide tr, .wide th, .wide td { display: block; }
  .wide colgroup { display: none; }
  .wide thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .wide tr { border-bottom: 1px solid var(--line); padding: .375rem 0; }
  .wide th, .wide td { border: 0; padding: .125rem .5rem; text-align: left; }
  .wide td { display: flex; gap: .75rem; }
  .wide td::before { content: attr(data-column); flex: 0 0 38%; color: var(--quiet); }
}
@media print {
  :root { color-scheme: light; }
  html { font-size: 10pt; }
  /* On every sheet the footer, with the notice of a test: a browser repeats the last rows of a table that do not break. */
  body { display: table; width: 100%; max-width: none; padding: 0; }
  main { display: table-row-group; }
  footer { display: table-footer-group; break-inside: avoid; }
  .chart { overflow: visible; }
  .chart svg { min-width: 0; }
  h2, h3, .head, caption { break-after: avoid; }
  tr, figure, .glance, .facts, .check { break-inside: avoid; }
  .notice, .glance, thead th, tr.marked > *, .shade, .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
