import json
import os
import stat
import unittest
from typing import Dict
from unittest import mock

from cases import StandInCase
from partner_fields import Fields, login_file, read_login, write_login


class Login(StandInCase):
    def environment(self, **variables: str) -> None:
        kept: Dict[str, str] = {name: value for name, value in os.environ.items() if not name.startswith("FIELDS_")}
        self.file = self.folder() / "new" / "login.json"
        given = {**kept, "FIELDS_LOGIN": str(self.file), **variables}
        patch = mock.patch.dict(os.environ, given, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def test_one_that_is_kept_is_read_again_and_by_nobody_else(self) -> None:
        self.environment()
        login = {"baseUrl": "https://a.example", "apiKey": "k"}
        self.assertEqual(write_login({**login, "jwt": None}), self.file)
        self.assertEqual(read_login(), login)
        if os.name == "posix":
            self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)

    def test_the_environment_goes_before_the_file(self) -> None:
        self.environment(FIELDS_KEY="own")
        write_login({"baseUrl": "https://a.example", "apiKey": "k", "jwt": "t"})
        self.assertEqual(read_login(), {"baseUrl": "https://a.example", "apiKey": "own", "jwt": "t"})

    def test_what_the_file_has_does_not_go_to_the_address_of_the_environment(self) -> None:
        self.environment(FIELDS_BASE="https://b.example")
        write_login({"baseUrl": "https://a.example", "apiKey": "k", "jwt": "t"})
        self.assertEqual(read_login(), {"baseUrl": "https://b.example"})

    def test_a_file_that_is_named_is_taken_alone(self) -> None:
        self.environment(FIELDS_BASE="https://b.example", FIELDS_KEY="own")
        file = self.folder() / "service.json"
        told = {"baseUrl": "http://127.0.0.1:7071", "jwt": "t", "caFile": "/x.crt", "blobEndpoint": "https://b/fs"}
        file.write_text(json.dumps({**told, "partyId": "p"}))
        fields = Fields.open(file)
        self.assertEqual((fields.connection.base, fields.connection.key), ("http://127.0.0.1:7071", None))
        self.assertEqual(fields.connection.session.verify, "/x.crt")

    def test_nobody_who_has_not_logged_in_is_left_alone_with_it(self) -> None:
        self.environment()
        with self.assertRaisesRegex(ValueError, "fields login.*FIELDS_BASE"):
            Fields.open()

    def test_the_folder_for_settings_is_that_of_the_system(self) -> None:
        self.environment()
        del os.environ["FIELDS_LOGIN"]
        os.environ["XDG_CONFIG_HOME"] = os.environ["APPDATA"] = str(self.folder())
        self.assertEqual(login_file().parent.name, "partner-fields")
        self.assertEqual(str(login_file().parents[1]), os.environ["APPDATA"])


if __name__ == "__main__":
    unittest.main()
