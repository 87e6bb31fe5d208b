"""The service as the examples call it. Python's own library is enough."""

import json
import os
import ssl
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs

local = os.environ.get("LOCAL_DIR", ".local")
with open(os.environ.get("SERVICE_FILE", f"{local}/service.json"), encoding="utf-8") as file:
    service = json.load(file)

# The certificate of the local storage; real storage needs none.
trust = ssl.create_default_context(cafile=service.get("caFile"))


class Refused(SystemExit):
    """What the service does not do, in its words: it ends a program that does not expect it."""

    def __init__(self, status, text):
        super().__init__(f"{status}: {text}")
        self.status = status


def call(url, body=None, headers=None, method=None):
    """The answer's bytes and headers; asked again when the service is too busy and says when."""
    for _ in range(6):
        request = urllib.request.Request(url, data=body, headers=headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, context=trust if url.startswith("https:") else None) as answer:
                return answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise Refused(error.code, error.read().decode()) from None
            time.sleep(float(error.headers.get("Retry-After", 2)))
    raise SystemExit("The service is too busy.")


def operate(operation, body):
    """One operation of a solution, such as gdd:create: the job, and when to look again."""
    headers = {"Authorization": f"Bearer {service['jwt']}", "Content-Type": "application/json"}
    url = f"{service['baseUrl']}/solutions/partnerAgPowered.{operation}"
    answer, told = call(url, json.dumps(body).encode(), headers)
    return json.loads(answer), float(told.get("Retry-After", 2))


def create(solution, request_path, parameters):
    """Queues a job. When the answer is lost the create may have worked: the very same job under its id is the job."""
    body = {"requestPath": request_path, "partnerRequestBody": parameters}
    try:
        try:
            operate(f"{solution}:create", body)
        except OSError:
            operate(f"{solution}:create", body)
    except Refused as refusal:
        if refusal.status != 409:
            raise
        job, _ = operate(f"{solution}:fetch", {"requestPath": request_path})
        if not same_job(parameters, job["partnerRequestBody"]):
            raise


def same_job(sent, echo):
    """Whether a job is what was sent, by its meaning.

    Types and units come back in upper case, the unit also when it was left out, and those of imagery in modelSpec from some operations.
    """

    def meaning(parameters):
        flat = {**parameters, **parameters.get("modelSpec", {})}
        given = {name: value for name, value in flat.items() if value is not None and name != "modelSpec"}
        every = {"temperatureUnit": "C", "startEvent": "PLANTING", **given}
        return {name: value.upper() if isinstance(value, str) else value for name, value in every.items()}

    return meaning(sent) == meaning(echo)


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


def storage():
    """Where the customer's files lie, what opens them, and until when: all from one call."""
    access = json.loads(call(f"{service['baseUrl']}/v1/auth/sas-token", headers={"Api-Key": service["apiKey"]})[0])
    account = service.get("blobEndpoint") or f"https://{access['account_name']}.blob.core.windows.net"
    ends_at = datetime.fromisoformat(parse_qs(access["sas_token"])["se"][0].replace("Z", "+00:00"))
    return f"{account}/{access['file_system']}/{access['path']}", access["sas_token"], ends_at


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
