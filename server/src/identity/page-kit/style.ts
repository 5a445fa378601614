// The stylesheet of our pages, in the look of the console: the colours, sizes and distances of its tokens
// (console/src/tokens.css). The pages load no font, so theirs is Inter where the machine has it. Contrast is at least 4.5:1
// for text and 3:1 for the edges of fields, in both colour schemes.
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #f6f8f7; --card: #ffffff; --sunken: #f1f4f2; --hover: #eef2ef; --selected: #e9efeb;
  --text: #111a15; --quiet: #465349; --faint: #5f6d64; --line: #e3e8e4; --line-strong: #d0d8d3; --edge: #84918a;
  --brand: #13733b; --on-brand: #ffffff; --brand-strong: #0e5c2e; --soft: #e6f3eb;
  --bad: #b42318; --bad-soft: #fdeceb; --bad-line: #f5cdc9; --focus: #1a66d6; --shadow: 0 1px 2px rgb(17 26 21 / 5%);
  --control: 2.125rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0b100d; --card: #121915; --sunken: #0e1411; --hover: #1a231e; --selected: #1e2923;
    --text: #e7efe9; --quiet: #a7b5ac; --faint: #8a998f; --line: #222c26; --line-strong: #303c35; --edge: #64736a;
    --brand: #4cc987; --on-brand: #04160c; --brand-strong: #7adba6; --soft: #14291d;
    --bad: #ff8f87; --bad-soft: #311816; --bad-line: #542723; --focus: #8ab4f8; --shadow: 0 1px 2px rgb(0 0 0 / 30%);
  }
}
@media (pointer: coarse) { :root { --control: 2.75rem; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; background: var(--back); color: var(--text); overflow-wrap: anywhere;
  font: 400 .875rem/1.25rem Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  -webkit-font-smoothing: antialiased; }
header, main, footer { width: 100%; max-width: 26rem; margin: 0 auto; padding: 0 1rem; }
.wide header, .wide main, .wide footer { max-width: 44rem; }
header { display: flex; align-items: center; justify-content: space-between; gap: .75rem 1rem; padding-top: 3rem; padding-bottom: 1.25rem; }
.wide header { flex-wrap: wrap; padding-top: 1.25rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 600; font-size: 1rem; letter-spacing: -.01em;
  min-height: var(--control); color: var(--text); text-decoration: none; }
.brand:hover { color: var(--text); text-decoration: underline; }
.navigation { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.brand svg { width: 1.5rem; height: 1.5rem; fill: var(--brand); }
nav { display: flex; flex-wrap: wrap; gap: .125rem; }
nav a { display: inline-flex; align-items: center; min-height: var(--control); padding: 0 .75rem; border-radius: .4375rem;
  color: var(--quiet); font-weight: 500; text-decoration: none; }
nav a:hover { background: var(--hover); color: var(--text); }
nav a[aria-current] { background: var(--selected); color: var(--text); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 0 0 1.25rem;
  box-shadow: var(--shadow); }
footer { padding-top: .5rem; padding-bottom: 2rem; color: var(--quiet); font-size: .8125rem; }
h1 { font-size: 1.25rem; line-height: 1.75rem; font-weight: 600; margin: 0 0 .75rem; letter-spacing: -.014em; }
main > h1 { margin: .25rem 0 1rem; }
h2 { font-size: .875rem; line-height: 1.25rem; font-weight: 600; margin: 0 0 .5rem; letter-spacing: -.003em; }
p { margin: 0 0 1rem; }
.quiet, .hint { color: var(--quiet); }
.hint { color: var(--faint); font-size: .8125rem; margin: 0 0 .3125rem; }
a { color: var(--brand); text-underline-offset: .15em; }
a:hover { color: var(--brand-strong); }
form { margin: 0; }
.field { margin: 0 0 1rem; }
label { display: block; font-weight: 500; margin: 0 0 .3125rem; }
input { display: block; width: 100%; min-height: var(--control); padding: 0 .75rem; font: inherit; color: var(--text);
  background: var(--card); border: 1px solid var(--edge); border-radius: .4375rem; }
@media (pointer: coarse) { input { font-size: 1rem; } }
input[type=file] { padding: .1875rem; }
::file-selector-button { min-height: calc(var(--control) - .5rem); margin: 0 .625rem 0 0; padding: 0 .75rem; font: inherit; font-weight: 500;
  cursor: pointer; color: var(--text); background: var(--hover); border: 1px solid var(--line-strong); border-radius: .3125rem; }
::file-selector-button:hover { background: var(--selected); }
.beside { display: flex; gap: .5rem; }
.beside input { flex: 1; min-width: 0; }
input[aria-invalid] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.code { max-width: 14rem; font-variant-numeric: tabular-nums; letter-spacing: .12em; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: var(--control); padding: .25rem .8125rem;
  font: inherit; font-weight: 500; cursor: pointer; border: 1px solid transparent; border-radius: .4375rem;
  background: var(--brand); color: var(--on-brand); text-decoration: none; }
button:hover, .button:hover { background: var(--brand-strong); color: var(--on-brand); }
.second { background: var(--card); color: var(--text); border-color: var(--line-strong); box-shadow: var(--shadow); }
.second:hover, .button.second:hover { background: var(--hover); color: var(--text); }
.danger { background: var(--card); color: var(--bad); border-color: var(--bad-line); }
.danger:hover { background: var(--bad-soft); color: var(--bad); }
.full { width: 100%; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.error { color: var(--bad); font-size: .8125rem; font-weight: 500; margin: 0 0 .3125rem; }
.summary, .done { border-radius: .4375rem; padding: .75rem; margin: 0 0 1.25rem; }
.summary { background: var(--bad-soft); border: 1px solid var(--bad-line); }
.done { background: var(--soft); border: 1px solid transparent; }
.summary h2, .done h2 { margin: 0; }
.summary p, .done p { margin: .25rem 0 0; }
.summary ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.summary a { color: var(--bad); }
.or { display: flex; align-items: center; gap: .75rem; margin: 1.25rem 0; color: var(--quiet); }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
.list { list-style: none; margin: 0 0 1rem; padding: 0; }
.list li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem;
  padding: .75rem 0; border-top: 1px solid var(--line); }
.list li > span:first-child { flex: 1 1 13rem; min-width: 0; }
.list li:first-child { border-top: 0; }
.list:last-child li:last-child { padding-bottom: 0; }
.list small { display: block; color: var(--faint); font-size: .8125rem; }
.mark { display: inline-block; padding: .0625rem .5rem; border-radius: 1rem; background: var(--soft); color: var(--brand);
  font-size: .75rem; line-height: 1.125rem; font-weight: 500; }
.scopes { margin: 0 0 1.25rem; padding-left: 1.25rem; }
.qr { display: block; width: 13rem; max-width: 100%; padding: .5rem; margin: 0 0 1rem; background: #fff; border: 1px solid var(--line); border-radius: .4375rem; }
.qr svg { display: block; width: 100%; height: auto; }
code, .codes { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.secret { font-size: .9375rem; }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .375rem 1.5rem; list-style: none;
  margin: 0 0 1rem; padding: 1rem; border: 1px solid var(--line-strong); border-radius: .4375rem; background: var(--sunken);
  font-size: .9375rem; }
.card > :last-child, .card > form:last-child > :last-child { margin-bottom: 0; }
[role=status].hint { margin: .5rem 0 1rem; }
[role=status].hint:empty { margin: 0; }
details { margin: 0 0 1rem; }
summary { cursor: pointer; padding: .375rem 0; color: var(--brand); text-decoration: underline; text-underline-offset: .15em; }
@media (max-width: 30rem) {
  header { padding-top: 1.25rem; flex-wrap: wrap; }
  .card { padding: 1rem; margin-bottom: 1rem; }
}
@media (forced-colors: active) {
  button, .button { border-color: currentcolor; }
}
`;
