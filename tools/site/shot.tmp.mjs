import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
const base = JSON.parse(readFileSync('/tmp/site/dev.json')).baseUrl;
const own = base.replace('localhost','127.0.0.1');
const [,, paths, widths='1280,390', themes='light,dark', origins='base', full='0'] = process.argv;
const b = await chromium.launch({ executablePath:'/usr/bin/chromium', args:['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking']});
for (const o of origins.split(',')) for (const w of widths.split(',')) for (const t of themes.split(',')) {
  const ctx = await b.newContext({ viewport:{width:+w,height:900}, colorScheme:t });
  for (const p of paths.split(',')) {
    const page = await ctx.newPage(); const faults=[];
    page.on('console', m=> m.type()==='error' && faults.push(m.text()));
    page.on('pageerror', e=>faults.push('PAGEERROR '+e.message));
    const origin = o==='own'?own:base;
    page.on('request', r=>{ if(!r.url().startsWith(origin) && !/^(data|blob):/.test(r.url())) faults.push('OUTSIDE '+r.url());});
    await page.goto(origin+p,{waitUntil:'networkidle'});
    const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    const name = `/tmp/site/${o}-${w}-${t}-${p.replace(/\W+/g,'_')}.png`;
    await page.screenshot({path:name, fullPage: full==='1'});
    console.log(name, 'overflow', over, faults.slice(0,6));
    await page.close();
  }
  await ctx.close();
}
await b.close();
