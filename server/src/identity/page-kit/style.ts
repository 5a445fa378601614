// The stylesheet of our pages. Contrast is at least 4.5:1 for text and 3:1 for control edges, in both colour schemes.
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #f3f6f4; --card: #ffffff; --text: #17211b; --quiet: #4b5a51; --line: #d5ddd8; --edge: #6b7a71;
  --brand: #15743a; --on-brand: #ffffff; --brand-strong: #0f5a2c; --soft: #e8f3ec;
  --bad: #a61b1b; --bad-soft: #fdeeee; --focus: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0e1411; --card: #161e1a; --text: #e9f0ec; --quiet: #a9b8af; --line: #2c3832; --edge: #7f8f86;
    --brand: #4ade80; --on-brand: #06210f; --brand-strong: #86efac; --soft: #1b2a21;
    --bad: #ff9d9d; --bad-soft: #331a1a; --focus: #8ab4f8;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
body { margin: 0; min-height: 100vh; background: var(--back); color: var(--text); overflow-wrap: anywhere; }
header, main, footer { width: 100%; max-width: 27rem; margin: 0 auto; padding: 0 1rem; }
.wide header, .wide main, .wide footer { max-width: 44rem; }
header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding-top: 2rem; padding-bottom: 1rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 650; font-size: 1.125rem;
  min-height: 2.75rem; color: var(--text); text-decoration: none; }
.brand:hover { color: var(--text); text-decoration: underline; }
.navigation { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.brand svg { width: 1.75rem; height: 1.75rem; fill: var(--brand); }
nav { display: flex; flex-wrap: wrap; gap: .25rem; }
nav a { display: inline-block; padding: .5rem .75rem; border-radius: .5rem; }
nav a[aria-current] { background: var(--soft); color: var(--text); text-decoration: none; font-weight: 600; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .875rem; padding: 1.5rem; margin: 0 0 1rem; }
footer { padding-top: .5rem; padding-bottom: 2rem; color: var(--quiet); font-size: .875rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; letter-spacing: -.01em; }
main > h1 { margin: .5rem 0 1rem; }
h2 { font-size: 1.125rem; line-height: 1.35; margin: 0 0 .5rem; }
p { margin: 0 0 1rem; }
.quiet, .hint { color: var(--quiet); }
.hint { font-size: .9375rem; margin: 0 0 .375rem; }
a { color: var(--brand); text-underline-offset: .15em; }
a:hover { color: var(--brand-strong); }
form { margin: 0; }
.field { margin: 0 0 1.125rem; }
label { display: block; font-weight: 600; margin: 0 0 .25rem; }
input { display: block; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: var(--text);
  background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; }
.beside { display: flex; gap: .5rem; }
.beside input { flex: 1; min-width: 0; }
input[aria-invalid] { border-color: var(--bad); border-width: 2px; }
.code { max-width: 14rem; font-variant-numeric: tabular-nums; letter-spacing: .12em; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.125rem;
  font: inherit; font-weight: 600; cursor: pointer; border: 1px solid transparent; border-radius: .5rem;
  background: var(--brand); color: var(--on-brand); text-decoration: none; }
button:hover, .button:hover { background: var(--brand-strong); color: var(--on-brand); }
.second { background: transparent; color: var(--text); border-color: var(--edge); }
.second:hover { background: var(--soft); color: var(--text); }
.danger { background: transparent; color: var(--bad); border-color: var(--bad); }
.danger:hover { background: var(--bad-soft); color: var(--bad); }
.full { width: 100%; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.error { color: var(--bad); font-weight: 600; margin: 0 0 .375rem; }
.summary, .done { border-radius: .625rem; padding: .875rem 1rem; margin: 0 0 1.25rem; }
.summary { background: var(--bad-soft); border: 2px solid var(--bad); }
.done { background: var(--soft); border: 1px solid var(--brand); }
.summary h2, .done h2 { font-size: 1rem; margin: 0; }
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
.list small { display: block; color: var(--quiet); font-size: .875rem; }
.mark { display: inline-block; padding: .0625rem .5rem; border-radius: 1rem; background: var(--soft); font-size: .875rem; font-weight: 600; }
.scopes { margin: 0 0 1.25rem; padding-left: 1.25rem; }
.qr { display: block; width: 13rem; max-width: 100%; padding: .5rem; margin: 0 0 1rem; background: #fff; border: 1px solid var(--line); border-radius: .5rem; }
.qr svg { display: block; width: 100%; height: auto; }
code, .codes { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.secret { font-size: 1.0625rem; }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .375rem 1.5rem; list-style: none;
  margin: 0 0 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; font-size: 1.0625rem; }
.card > :last-child, .card > form:last-child > :last-child { margin-bottom: 0; }
[role=status].hint { margin: .5rem 0 1rem; }
[role=status].hint:empty { margin: 0; }
details { margin: 0 0 1rem; }
summary { cursor: pointer; padding: .375rem 0; color: var(--brand); text-decoration: underline; text-underline-offset: .15em; }
@media (max-width: 30rem) {
  header { padding-top: 1.25rem; flex-wrap: wrap; }
  .card { padding: 1.125rem; }
}
@media (forced-colors: active) {
  button, .button { border-color: currentcolor; }
}
`;
