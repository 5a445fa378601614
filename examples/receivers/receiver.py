# Receives webhooks of Trefoil with Python 3.9 or later alone: TREFOIL_WEBHOOK_SECRET=whsec_… python3 receiver.py
# It verifies each message, stores it once, and answers. Your program works on what is stored, after the answer.
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# A message has a few hundred bytes. Anyone can post to this program, so it reads no more than this.
BODY_MAX = 65_536
TOLERANCE_SECONDS = 300
FOLDER = Path("received")
PORT = int(os.environ.get("PORT", "3000"))


def read_key(secret):
    if not re.fullmatch(r"whsec_[A-Za-z0-9+/]+=*", secret):
        raise SystemExit("TREFOIL_WEBHOOK_SECRET must be the secret of the endpoint: whsec_…")
    return base64.b64decode(secret[len("whsec_"):])


KEY = read_key(os.environ.get("TREFOIL_WEBHOOK_SECRET", ""))


def find_fault(headers, body):
    """Why the message is refused; None if Trefoil signed it, and signed it just now."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    # The id becomes the name of a file.
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", event_id):
        return "webhook-id is missing or malformed"
    if not re.fullmatch(r"[0-9]{1,11}", timestamp):
        return "webhook-timestamp is missing or malformed"
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return "webhook-timestamp is more than five minutes away"
    content = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest())
    # For a day after a rotation there are two signatures, one with each secret.
    signatures = headers.get("webhook-signature", "").encode("utf-8", "replace").split(b" ")
    if not any(hmac.compare_digest(each, expected) for each in signatures):
        return "webhook-signature does not fit: another secret, or a changed body"
    return None


def store_once(event_id, body):
    """False if the event is there already: deliveries repeat. In your program: a table whose primary key is the id."""
    with tempfile.NamedTemporaryFile(dir=FOLDER, suffix=".part") as part:
        part.write(body)
        part.flush()
        os.fsync(part.fileno())
        try:
            # Unlike a write, a link is made whole or not at all, and only once.
            os.link(part.name, FOLDER / f"{event_id}.json")
        except FileExistsError:
            return False
    return True


class Receiver(BaseHTTPRequestHandler):
    # A sender that is silent for longer is not Trefoil.
    timeout = 10

    def do_POST(self):
        try:
            status = self.receive()
        except Exception as error:
            # Not stored, so not a 2xx: Trefoil sends it again.
            print("failed:", repr(error), flush=True)
            status = 500
        self.send_response(status)
        self.end_headers()

    def receive(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length):
            return 411
        if int(length) > BODY_MAX:
            return 413
        # The bytes as they arrived: the signature is over these.
        body = self.rfile.read(int(length))
        fault = find_fault(self.headers, body)
        if fault:
            print("refused:", fault, flush=True)
            return 400
        event_id = self.headers["webhook-id"]
        print("stored:" if store_once(event_id, body) else "seen before:", event_id, flush=True)
        return 204

    def log_message(self, format, *args):
        """Silent: the usual line repeats what a stranger wrote."""


def print_statuses():
    """Messages may overtake each other: of a report's events the one with the highest sequence is the last, in whatever order they came."""
    last = {}
    for path in FOLDER.glob("*.json"):
        event = json.loads(path.read_bytes())
        data = event["data"]
        if "status" in data and event["sequence"] > last.get(data["creditReportId"], (-1,))[0]:
            last[data["creditReportId"]] = (event["sequence"], data["status"])
    for credit_report_id, (_, status) in last.items():
        print(credit_report_id, status)


FOLDER.mkdir(exist_ok=True)
if sys.argv[1:] == ["statuses"]:
    print_statuses()
    sys.exit()
server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"listening on http://127.0.0.1:{PORT}", flush=True)
server.serve_forever()
