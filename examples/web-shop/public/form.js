// Puts the device session into the form before it is sent. The form works without this file: then there is no device.
const form = document.getElementById('order-form');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  document.getElementById('wait').textContent = 'We are checking. This takes up to half a minute.';
  window.deviceSession.then((sessionId) => {
    document.getElementById('sessionId').value = sessionId;
    // Sends the form without another event. A second click sends it again: the order's id in it makes that harmless.
    form.submit();
  });
});
