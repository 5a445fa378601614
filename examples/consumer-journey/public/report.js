// The page around the report: makes the frame as tall as the report, and prints the report alone. If there is no report,
// the page that says why takes this page's place. Without JavaScript the frame scrolls, and the PDF can be printed.
const frame = document.getElementById('document');
const button = document.getElementById('print');

const print = () => frame.contentWindow.print();

function printReport(event) {
  if (event.key !== 'p' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  print();
}

function stretch() {
  const page = frame.contentDocument?.documentElement;
  // Not scrollHeight: that is never less than the frame's height, so the frame could not become smaller again.
  if (page) frame.style.height = `${Math.ceil(page.getBoundingClientRect().height)}px`;
}

function prepare() {
  const page = frame.contentDocument;
  if (!page?.body) return;
  if ('noReport' in page.body.dataset) {
    removeEventListener('keydown', printReport);
    document.title = page.title;
    document.body.replaceWith(document.adoptNode(page.body));
    return;
  }
  // Text that grows or wraps makes the report taller.
  new ResizeObserver(stretch).observe(page.body);
  stretch();
  for (const link of page.querySelectorAll('a[href^="http"]')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
}

frame.addEventListener('load', prepare);
if (frame.contentDocument?.readyState === 'complete') prepare();

button.hidden = false;
button.addEventListener('click', print);
addEventListener('keydown', printReport);
