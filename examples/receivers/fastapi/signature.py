"""Who sent it, and when: Standard Webhooks, with Python's own library."""

import base64
import hashlib
import hmac
import time

WINDOW_SECONDS = 300


def is_signed(headers, body, secrets):
    """Whether one of the secrets signed these bytes within the last five minutes."""
    event_id, timestamp, signatures = (headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > WINDOW_SECONDS:
        return False
    content = f"{event_id}.{timestamp}.".encode() + body
    expected = [b"v1," + base64.b64encode(mac(secret, content)) for secret in secrets]
    # The header has one for each secret that is valid, and may have signatures of other versions.
    given = signatures.encode().split(b" ")
    return any(hmac.compare_digest(one, other) for one in expected for other in given)


def mac(secret, content):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return hmac.new(key, content, hashlib.sha256).digest()
