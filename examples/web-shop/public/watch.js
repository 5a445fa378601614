// Loads the page again when its order has moved on, for example because a webhook has arrived.
const watched = document.querySelector('[data-watch]');

async function look() {
  try {
    const answer = await fetch(watched.dataset.watch);
    // Not `reload`: where the page is the answer to a form, that would send the form again.
    if (answer.ok && (await answer.text()) !== watched.dataset.now) location.replace(location.pathname);
  } catch {
    // The shop does not answer just now: look again later.
  }
}

if (watched) setInterval(() => void look(), 1500);
