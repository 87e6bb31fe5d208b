"""The service as the examples call it. Python's own library is enough."""

import json
import os
import ssl
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone

local = os.environ.get("LOCAL_DIR", ".local")
with open(os.environ.get("SERVICE_FILE", f"{local}/service.json"), encoding="utf-8") as file:
    service = json.load(file)

# The certificate of the local storage; real storage needs none.
trust = ssl.create_default_context(cafile=service.get("caFile"))


def call(url, body=None, headers=None, method=None):
    """The answer's bytes and headers; asked again when the service is too busy and says when."""
    for _ in range(6):
        request = urllib.request.Request(url, data=body, headers=headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, context=trust if url.startswith("https:") else None) as answer:
                return answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise SystemExit(f"{error.code}: {error.read().decode()}") from None
            time.sleep(float(error.headers.get("Retry-After", 2)))
    raise SystemExit("The service is too busy.")


def operate(operation, body):
    """One operation of a solution, such as gdd:create: the job, and when to look again."""
    headers = {"Authorization": f"Bearer {service['jwt']}", "Content-Type": "application/json"}
    url = f"{service['baseUrl']}/solutions/partnerAgPowered.{operation}"
    answer, told = call(url, json.dumps(body).encode(), headers)
    return json.loads(answer), float(told.get("Retry-After", 2))


def ended(solution, request_path):
    """The job once it has ended, looked at as often as the service asks."""
    while True:
        job, pause = operate(f"{solution}:fetch", {"requestPath": request_path})
        print(job["status"])
        if job["status"] not in ("WAITING", "RUNNING"):
            return job
        time.sleep(pause)


def insight(job, accept="application/json"):
    """What a job that SUCCEEDED has found out."""
    if "insightId" not in job:
        raise SystemExit(job["message"])
    headers = {"Authorization": f"Bearer {service['jwt']}", "Accept": accept}
    return call(f"{service['baseUrl']}/v1/insights/{job['insightId']}", headers=headers)[0]


def days_ago(days):
    return (datetime.now(timezone.utc) - timedelta(days=days)).date().isoformat()


def multipart(request, path):
    """The two parts of a submission: the header Content-Type, and the body."""
    with open(path, "rb") as file:
        parts = {"request": ("application/json", json.dumps(request).encode()), "geojson": ("application/geo+json", file.read())}
    boundary = uuid.uuid4().hex
    body = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}.json"\r\n'
        f"Content-Type: {kind}\r\n\r\n".encode() + data + b"\r\n"
        for name, (kind, data) in parts.items()
    ) + f"--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", body
