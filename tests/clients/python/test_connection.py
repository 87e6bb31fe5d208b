import json
import os
import unittest
from email.utils import formatdate
from unittest import mock

from cases import ROOT, StandInCase
from partner_fields import Conflict, Fields, FieldsError, Limited, NotFound, Refused, Unavailable
from stand_in import LOST, Answer, StandIn

HEALTHY = Answer(200, {"items": [], "cursor": None})


def ask(fields: Fields) -> None:
    list(fields.list_fields())


class Waiting(StandInCase):
    def test_429_and_503_are_asked_again_when_the_answer_says_so(self) -> None:
        away = Answer(503, {}, {"Retry-After": "7"})
        fields = self.service(away, Answer(429, {}, {"Retry-After": "1"}), HEALTHY)
        ask(fields)
        self.assertEqual(self.waited, [7, 1])

    def test_five_waits_are_all(self) -> None:
        for status, kind in ((429, Limited), (503, Unavailable)):
            with self.subTest(status), self.assertRaises(kind) as raised:
                ask(self.service(Answer(status, {"code": "too_many_requests"}, {"Retry-After": "3"})))
            self.assertEqual(self.waited, [3] * 5)
            self.assertEqual((raised.exception.status, raised.exception.retry_after), (status, 3))

    def test_an_instant_in_Retry_After_counts_from_the_date_of_the_answer(self) -> None:
        dated = {"Date": formatdate(1_000_000, usegmt=True), "Retry-After": formatdate(1_000_040, usegmt=True)}
        ask(self.service(Answer(503, {}, dated), HEALTHY))
        self.assertEqual(self.waited, [40])

    def test_two_seconds_where_the_answer_does_not_say_how_long(self) -> None:
        for told in ({}, {"Retry-After": "soon"}):
            with self.subTest(told):
                ask(self.service(Answer(503, {}, told), HEALTHY))
                self.assertEqual(self.waited, [2])

    def test_nobody_is_kept_waiting_for_more_than_five_minutes(self) -> None:
        with self.assertRaises(Unavailable) as raised:
            ask(self.service(Answer(503, {}, {"Retry-After": "3600"})))
        self.assertEqual((self.waited, raised.exception.retry_after), ([], 3600))

    def test_a_token_is_asked_for_before_each_try(self) -> None:
        tokens = iter(["first", "second"])
        fields = self.service(Answer(503), HEALTHY, token=lambda: next(tokens))
        list(fields.jobs())
        sent = [asked.headers["Authorization"] for asked in self.stand_in.asked]
        self.assertEqual(sent, ["Bearer first", "Bearer second"])


class LostAnswers(StandInCase):
    def test_a_question_is_asked_again(self) -> None:
        fields = self.service(HEALTHY, LOST, HEALTHY)
        ask(fields)
        ask(fields)
        self.assertEqual(len(self.paths), 3)

    def test_so_is_one_whose_answer_was_cut_off(self) -> None:
        ask(self.service(Answer(200, {"items": [], "cursor": None}, cut_at=9), HEALTHY))
        self.assertEqual(len(self.paths), 2)

    def test_so_is_a_failure_that_is_none_of_the_services_own(self) -> None:
        own = Answer(500, {"code": "internal_error", "message": "Oh."})
        with self.assertRaisesRegex(Unavailable, "Oh."):
            ask(self.service(Answer(500, b""), Answer(502, b"<html>"), own))
        self.assertEqual(len(self.paths), 3)

    def test_a_change_that_depends_on_what_was_read_is_not(self) -> None:
        fields = self.service(LOST)
        with self.assertRaises(Unavailable):
            fields.farm.parties.put("p", if_match='"1"', name="Miller")
        self.assertEqual(len(self.paths), 1)

    def test_an_address_where_nobody_is_fails_at_once_and_names_no_query(self) -> None:
        stand_in = StandIn(HEALTHY)
        stand_in.close()
        fields = Fields(stand_in.base, key="k")
        fields.connection.pause = self.fail  # type: ignore[method-assign,assignment]
        with self.assertRaises(Unavailable) as raised:
            fields.connection.send("GET", "/v1/fields?sig=secret", by="key")
        error = raised.exception
        self.assertIn(f"No answer from {stand_in.base}: ", error.message)
        self.assertNotIn("secret", str(error))
        self.assertEqual((error.status, error.was_sent, error.__cause__), (0, False, None))


class Errors(StandInCase):
    def raised(self, answer: Answer) -> FieldsError:
        with self.assertRaises(FieldsError) as raised:
            self.service(answer).connection.send("POST", "/x", by="key", waits_for=())
        return raised.exception

    def test_the_kind_follows_from_the_status(self) -> None:
        kinds = {400: Refused, 401: Refused, 404: NotFound, 409: Conflict, 412: Conflict, 422: Refused, 429: Limited}
        for status, kind in {**kinds, 500: Unavailable, 502: Unavailable, 503: Unavailable}.items():
            with self.subTest(status):
                self.assertIs(type(self.raised(Answer(status, {}))), kind)

    def test_code_message_and_trace_id_are_those_of_the_service(self) -> None:
        jobs = {"error": {"code": "GDD-04100", "message": "GDD-04100: crop is missing."}, "traceId": "t1"}
        detail = {"loc": ["geojson", "features", 3], "msg": "no ring", "type": "value"}
        enrollments = {"code": "validation_error", "message": "One fault.", "trace_id": "t2", "details": [detail]}
        xml = "\ufeff<?xml?><Error><Code>AuthenticationFailed</Code><Message>Expired.</Message></Error>".encode()
        for body, told in (
            (jobs, ("GDD-04100", "GDD-04100: crop is missing.", "t1")),
            (enrollments, ("validation_error", "One fault.", "t2")),
            (xml, ("AuthenticationFailed", "Expired.", "")),
        ):
            error = self.raised(Answer(400, body))
            self.assertEqual((error.code, error.message, error.trace_id), told)
        error = self.raised(Answer(422, enrollments))
        self.assertEqual(error.details, [detail])
        self.assertEqual(str(error), "One fault.\n  geojson.features.3: no ring\n  (422, validation_error, trace t2)")

    def test_somebody_in_between_is_quoted(self) -> None:
        page = b"<html><body><h1>Blocked</h1> by the proxy</body></html>"
        self.assertIn("Blocked by the proxy", self.raised(Answer(403, page)).message)
        for body in (b"[1]", b'{"error":"down"}', b"\xff\xfe", b""):
            self.assertEqual(self.raised(Answer(502, body)).status, 502)

    def test_an_answer_that_is_no_json_is_an_error(self) -> None:
        with self.assertRaises(Unavailable) as raised:
            ask(self.service(Answer(200, b"<html>Sign in</html>")))
        self.assertIn("Sign in", raised.exception.message)


class Credentials(StandInCase):
    def test_each_call_has_the_one_that_it_needs(self) -> None:
        fields = self.service(HEALTHY)
        ask(fields)
        list(fields.jobs())
        key, token = (asked.headers for asked in self.stand_in.asked)
        self.assertEqual((key.get("Api-Key"), key.get("Authorization")), ("k", None))
        self.assertEqual((token.get("Api-Key"), token.get("Authorization")), (None, "Bearer t"))

    def test_one_that_is_missing_is_named_before_anything_is_sent(self) -> None:
        for options, call in (({"key": None}, ask), ({"token": None}, lambda fields: list(fields.jobs()))):
            with self.subTest(options), self.assertRaisesRegex(ValueError, "key=|token="):
                call(self.service(HEALTHY, **options))
            self.assertEqual(self.paths, [])

    def test_what_netrc_has_for_the_host_does_not_take_their_place(self) -> None:
        netrc = self.folder() / "netrc"
        netrc.write_text("machine 127.0.0.1 login a password b\n")
        netrc.chmod(0o600)
        with mock.patch.dict(os.environ, {"NETRC": str(netrc)}):
            fields = self.service(HEALTHY)
            list(fields.jobs())
            ask(fields)
        self.assertEqual([asked.headers.get("Authorization") for asked in self.stand_in.asked], ["Bearer t", None])

    def test_a_redirection_is_told_and_not_followed(self) -> None:
        other = StandIn(HEALTHY)
        self.addCleanup(other.close)
        with self.assertRaisesRegex(Refused, "has moved to " + other.base):
            ask(self.service(Answer(302, b"", {"Location": other.base + "/v1/fields?x=1"})))
        self.assertEqual(other.asked, [])

    def test_the_base_is_an_address(self) -> None:
        with self.assertRaisesRegex(ValueError, "localhost:7071"):
            Fields("localhost:7071")

    def test_the_sessions_own_certificates_go_before_those_of_the_environment(self) -> None:
        fields = self.service(HEALTHY)
        fields.connection.session.verify = "/own.crt"
        with mock.patch.dict(os.environ, {"REQUESTS_CA_BUNDLE": "/other.crt"}):
            with mock.patch.object(fields.connection.session, "send", side_effect=KeyboardInterrupt) as send:
                self.assertRaises(KeyboardInterrupt, ask, fields)
        self.assertEqual(send.call_args.kwargs["verify"], "/own.crt")

    def test_the_version_is_told_as_user_agent(self) -> None:
        ask(self.service(HEALTHY))
        version = json.loads((ROOT / "package.json").read_text())["version"]
        self.assertRegex(self.stand_in.asked[0].headers["User-Agent"], rf"^partner-fields/{version} python/3\.")


if __name__ == "__main__":
    unittest.main()
