"""A bot for a table of a Tefuda server: sits down, and makes any move until the game is over (docs/api.md).

    python random_bot.py http://localhost:8000 momiji-2043
"""

import json
import random
import sys
import time
import urllib.error
import urllib.request

server, table = sys.argv[1:]
token = ""


def ask(path, body=None):
    """GET, or POST with a body. Returns the answer as data; HTTPError when the server refuses."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{server}/api/tables/{table}{path}", data, headers)
    return json.load(urllib.request.urlopen(request, timeout=30))


def changes():
    """Waits for changes of the table, for ever: when the server was away, listen again."""
    while True:
        try:
            with urllib.request.urlopen(f"{server}/api/tables/{table}/events", timeout=60) as stream:
                yield from (line for line in stream if line.startswith(b"data:"))
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(1)


token = ask("/seats", {"name": "Python"})["token"]
for _ in changes():
    seen = ask("")
    if seen.get("over"):
        print(json.dumps(seen["result"]))
        break
    if seen.get("moves"):  # it is our turn
        try:
            ask("/moves", {"move": random.choice(seen["moves"]), "number": seen["number"]})
        except urllib.error.HTTPError as refused:
            if refused.code != 409:  # 409: the table has gone on meanwhile
                raise
