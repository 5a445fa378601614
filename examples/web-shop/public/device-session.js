// Registers the function that Trefoil's fingerprint script calls, before that script loads. Where the script is blocked the
// function is never called; after eight seconds the form goes on without a device.
window.service = window.service || {};
window.deviceSession = new Promise((resolve) => {
  window.service.deviceFingerprint = ({ sessionId }) => resolve(sessionId);
  setTimeout(() => resolve('script-not-loaded'), 8000);
});
