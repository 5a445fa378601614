// Shows one step of the journey at a time. The heading of each takes the focus, so that a screen reader says where the
// consumer is, and the tab has the same words.
const STEPS = ['details', 'waiting', 'code', 'stopped'];

export const find = (id) => document.getElementById(id);

const company = document.querySelector('meta[name="application-name"]').content;

export function showStep(name) {
  for (const step of STEPS) find(`step-${step}`).hidden = step !== name;
  const heading = find(`title-${name}`);
  document.title = `${heading.textContent} – ${company}`;
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Longer than a report may take. */
const ANSWER_WITHIN_MS = 60_000;

/** Posts to the tenant's own server. A network that fails is an answer like another. */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  } catch {
    return { status: 'stopped', why: 'offline' };
  }
}
