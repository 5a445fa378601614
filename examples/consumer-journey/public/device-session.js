// Registers the function that the fingerprint script calls. It must run before that script; it is a file of its own so
// that the page's content policy needs no inline script.
window.service = window.service || {};
window.deviceSession = new Promise((resolve) => {
  const take = ({ sessionId, degraded }) => resolve({ sessionId, degraded, madeAt: Date.now() });
  window.service.deviceFingerprint = take;
  // The script itself may not arrive, where a network or a browser blocks it. The report can still be had if no code
  // is needed, so the page goes on without a device.
  setTimeout(() => take({ sessionId: 'script-not-loaded', degraded: true }), 8000);
});
