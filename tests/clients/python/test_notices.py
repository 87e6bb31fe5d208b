import unittest
from typing import Any

from cases import StandInCase
from stand_in import LOST, Answer


def page(*ids: str, cursor: str, more: bool = False) -> Answer:
    return Answer(200, {"items": [{"id": each} for each in ids], "cursor": cursor, "has_more": more})


class Events(StandInCase):
    def test_from_the_cursor_of_an_event_nothing_behind_it_is_missed(self) -> None:
        fields = self.service(page("1", "2", cursor="a", more=True), page("3", "4", cursor="b"))
        told = [(event["id"], event.cursor) for event in fields.events("start", types=["partner.job.*"])]
        self.assertEqual(told, [("1", "start"), ("2", "a"), ("3", "a"), ("4", "b")])
        self.assertEqual(self.paths[1], "/v1/events?types=partner.job.%2A&cursor=a")

    def test_who_follows_is_asked_for_no_hurry(self) -> None:
        fields = self.service(page("1", cursor="a"), page(cursor="a"), page("2", cursor="b"))
        following = fields.events(follow=True)
        self.assertEqual([next(following)["id"] for _ in "12"], ["1", "2"])
        self.assertEqual(self.waited, [5, 5])


class Webhooks(StandInCase):
    def test_one_is_created_once(self) -> None:
        fields = self.service(LOST, Answer(201, {"id": "w", "secret": "whsec_x"}))
        self.assertEqual(fields.webhooks.create("https://a.example", types=["partner.imagery.*"])["secret"], "whsec_x")
        lost, sent = self.stand_in.asked
        self.assertEqual((lost.body, lost.headers), (sent.body, sent.headers))

    def test_the_customers_are_asked_for_where_there_is_a_key(self) -> None:
        for options, header in (({}, "Api-Key"), ({"key": None}, "Authorization")):
            given: Any = options
            self.service(Answer(200, {"items": []}), **given).webhooks.list()
            self.assertIn(header, self.stand_in.asked[0].headers)


if __name__ == "__main__":
    unittest.main()
