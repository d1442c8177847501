// A bot for a table of a Tefuda server: sits down, and makes any move until the game is over (docs/api.md).
//
//     node random_bot.mjs http://localhost:8000 momiji-2043

const [server, table] = process.argv.slice(2);
let token = "";

/** GET, or POST with a body. The answer as data; an error when the server refuses. */
async function ask(path, body) {
  const answer = await fetch(`${server}/api/tables/${table}${path}`, {
    method: body ? "POST" : "GET",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const told = await answer.json();
  if (!answer.ok && answer.status !== 409) throw new Error(told.error); // 409: the table has gone on meanwhile
  return told;
}

/** Waits for changes of the table, for ever: when the server was away, listen again. */
async function* changes() {
  for (;;) {
    try {
      const stream = await fetch(`${server}/api/tables/${table}/events`);
      for await (const piece of stream.body.pipeThrough(new TextDecoderStream())) if (piece.includes("data:")) yield;
    } catch {
      await new Promise((later) => setTimeout(later, 1000));
    }
  }
}

token = (await ask("/seats", { name: "JavaScript" })).token;
for await (const _ of changes()) {
  const seen = await ask("");
  if (seen.over) {
    console.log(JSON.stringify(seen.result));
    break;
  }
  const move = seen.moves?.[Math.floor(Math.random() * seen.moves.length)];
  if (move) await ask("/moves", { move, number: seen.number }); // it is our turn
}
process.exit();
