// One choice of a language holds for all samples that have it, on this page and on the next.
const KEY = 'trefoil-language';

function choose(language) {
  for (const button of document.querySelectorAll('.samples input')) {
    if (button.value === language) button.checked = true;
  }
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.samples input')) return;
  localStorage.setItem(KEY, target.value);
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  // Samples above it may have grown or shrunk: what the reader looks at stays where it was.
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
});

choose(localStorage.getItem(KEY));
