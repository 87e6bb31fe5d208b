"""A receiver of webhooks: it consents, checks, stores each event once, answers, and works afterwards."""

import json
import os
import threading
import urllib.parse

import uvicorn
from catch_up import catch_up_daily
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from inbox import Inbox
from signature import is_signed

MOST_BYTES = 100_000

local = os.environ.get("LOCAL_DIR", ".local")
with open(os.environ.get("SERVICE_FILE", f"{local}/service.json"), encoding="utf-8") as file:
    service = json.load(file)
# While the secret is rotated there are two, with a space between them: either may sign.
secrets = os.environ.get("WEBHOOK_SECRETS", "").split()


def work(event):
    """What your program makes of an event. It may see one twice, after a death in its midst."""
    print(f"{event['id']}: {event['type']} {event['subject']}", flush=True)


inbox = Inbox("events.db", work)
app = FastAPI(openapi_url=None)


@app.options("/")
async def consent(request: Request):
    # Consent is for this service alone; others send nothing where they are not named.
    host = urllib.parse.urlsplit(service["baseUrl"]).netloc
    is_ours = request.headers.get("webhook-request-origin") == host
    return Response(status_code=204, headers={"WebHook-Allowed-Origin": host} if is_ours else {})


@app.post("/")
async def receive(request: Request):
    # The bytes as they came: parsed and written anew they would have another signature.
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return Response(status_code=413)
    if not is_signed(request.headers, body, secrets):
        return Response(status_code=401)
    await run_in_threadpool(inbox.store, request.headers["webhook-id"], body.decode())
    return Response(status_code=204)


if __name__ == "__main__":
    threading.Thread(target=inbox.work_on, daemon=True).start()
    threading.Thread(target=catch_up_daily, args=(service, inbox), daemon=True).start()
    # TLS is ended before this port, by a gateway or a proxy.
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "9443")), log_level="warning")
