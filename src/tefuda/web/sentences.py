"""What the server says to people when something is not as they wanted, in both languages, Japanese first.

Each says what was wrong and what would be right. What a page says of a game is not here."""

from __future__ import annotations

SENTENCES: dict[str, tuple[str, str]] = {
    "not found": (
        "このページはありません。アドレスを確かめるか、棚に戻ってゲームを選んでください。",
        "There is no such page. Check the address, or go back to the shelf and choose a game.",
    ),
    "no table": (
        "この名前の卓はありません。リンクを確かめるか、棚から新しく始めてください。",
        "There is no table of that name. Check the link, or start a new game from the shelf.",
    ),
    "no game": (
        "そのゲームは、ここにはありません。棚にあるゲームを選んでください。",
        "That game is not here. Choose one from the shelf.",
    ),
    "level": ("ボットの強さは {right} のどれかです。", "The level of the bots is one of {right}."),
    "no card": ("その札はありません。", "There is no such card."),
    "no method": (
        "このアドレスは、その使い方ができません。棚に戻ってください。",
        "This address cannot be used in that way. Go back to the shelf.",
    ),
    "former rules": (
        "この卓は前のルール（{game} の {version}）で始まりました。このサーバーにはいまそれがないので、続けられません。"
        "その版のルールを出せば続けられます。",
        "This table was begun by earlier rules ({game}, version {version}), which this server does not have now, so it "
        "cannot go on until they are served again.",
    ),
    "spoilt table": (
        "この卓は続けられません。ルールの中か記録に誤りがあります。くわしいことはサーバーの記録にあります。",
        "This table cannot go on: there is a fault in its rules or in what was kept of it. The server's log says more.",
    ),
    "wrong rules": (
        "このゲームのルールのファイルに誤りがあり、遊べません。どの行かはサーバーの記録にあります。",
        "There is a fault in this game's rules file, so it cannot be played. The server's log names the line.",
    ),
    "store": (
        "いま記録を残せません(ディスクがいっぱいか、混み合っています)。何も失われていません。少し待って、もう一度どうぞ。",
        "Nothing can be kept just now (the disk is full, or the store is busy). Nothing is lost. Wait a moment, then "
        "try again.",
    ),
    "fault": (
        "サーバーの中で思わぬ誤りが起きました。卓は残っています。ページを開き直してみてください。",
        "Something unforeseen went wrong in the server. The table is still there: try opening the page again.",
    ),
    "bad request": (
        "送られたものが読めませんでした。ページを開き直して、もう一度どうぞ。",
        "What was sent could not be read. Open the page again and retry.",
    ),
    "too large": (
        "送られたものが大きすぎます。",
        "What was sent is too large.",
    ),
    "long field": (
        "送られた欄のひとつが長すぎます(20,000文字まで)。",
        "One of the fields sent is too long (20,000 characters at most).",
    ),
    "other site": (
        "ほかのサイトから送られてきたので、受け取りませんでした。このサイトのページからどうぞ。",
        "This was sent from another site's page and was not taken. Please use this site's own pages.",
    ),
    "begun": (
        "この卓は、もう始まっています。",
        "The game at this table has begun already.",
    ),
    "waiting": (
        "この卓は、まだ始まっていません。",
        "The game at this table has not begun yet.",
    ),
    "lobby host": (
        "それができるのは、卓を立てた人だけです。",
        "Only whoever opened the table can do that.",
    ),
    "lobby taken": (
        "その席には、もう人がいます。ほかの席を選んでください。",
        "Somebody sits there already. Choose another seat.",
    ),
    "lobby seat": ("その席は、この卓にはありません。", "There is no such seat at this table."),
    "lobby full": (
        "席はみな埋まっています。見ていることはできます。",
        "Every seat is taken. You can watch the game.",
    ),
    "lobby not full": (
        "空いた席があります。友だちを待つか、ボットで埋めて始めてください。",
        "Some seats are free. Wait for your friends, or fill them with bots.",
    ),
    "lobby occupied": (
        "座っている人のほうが多くなります。先に席を空けてから、人数を減らしてください。",
        "More people sit there. Free a seat first, then choose fewer players.",
    ),
    "lobby starter": (
        "このゲームでは、始める人をくじで決めません。",
        "In this game the starter is not drawn by lot.",
    ),
    "lobby events": (
        "始まる前に、この卓ではもうずいぶん多くのことがありました。いまのまま始めるか、新しい卓を立ててください。",
        "A great deal has happened at this table before its game. Begin as things are, or open a new table.",
    ),
    "lobby nothing": (
        "その席には、だれも座っていません。",
        "Nobody sits there.",
    ),
    "talk off": ("この卓では、おしゃべりはしません。", "There is no talk at this table."),
    "talk phrases": ("この卓では、決まった言葉だけが使えます。", "Only set phrases can be said at this table."),
    "talk phrase": ("その言葉は、決まった言葉の中にありません。", "That is none of the set phrases."),
    "talk empty": ("目に見える文字を書いてください。", "Write something that can be seen."),
    "talk long": ("一度に言えるのは200文字までです。", "A line has at most 200 characters."),
    "talk spectator": ("話せるのは、席にいる人だけです。", "Only those in the seats talk here."),
    "talk full": (
        "始まる前に話せるのはここまでです。ゲームを始めるか、新しい卓を立ててください。",
        "No more can be said before the game. Begin it, or open a new table.",
    ),
    "talk pace": ("少し間を置いてから、話してください。", "Please wait a moment before you say more."),
    "undo nothing": (
        "もどせる手がありません。まだ一手もしていません。",
        "There is nothing to take back: you have not moved yet.",
    ),
    "undo revealed": (
        "そのあとに札か賽の目が明かされたので、もうもどせません。",
        "A card or a die has been revealed since, so it cannot be taken back any more.",
    ),
    "undo over": ("勝負が終わったので、もうもどせません。", "The game is over, so nothing is taken back."),
    "undo open": (
        "いまほかのことで、みんなの返事を待っています。それが済んでからどうぞ。",
        "Something else is being voted on. Ask when that is settled.",
    ),
    "undo none": ("もう、そのことは決まっています。", "That is settled already."),
    "undo own": ("それには、ほかの人が答えます。", "That is for the others to answer."),
    "absent here": (
        "ボットに代われるのは、いま番の人だけです。",
        "A bot can only take the place of somebody whose turn it is.",
    ),
    "absent soon": (
        "まだ考えはじめたばかりです。一分待ってから頼めます。",
        "They have only just begun to think. Ask after a minute.",
    ),
    "absent open": (
        "いまほかのことで、みんなの返事を待っています。それが済んでからどうぞ。",
        "Something else is being voted on. Ask when that is settled.",
    ),
    "watch end": (
        "この卓は、終わるまで見られません。終わったら、ここで初めから見られます。",
        "This table is closed to watchers until the game is over. Then all of it can be seen here.",
    ),
    "over only": (
        "それは、勝負が終わってからです。",
        "That is for after the game.",
    ),
    "no key": (
        "その鍵は、この卓のどの席のものでもありません。もとの端末に出ている鍵を確かめてください。",
        "That key is of no seat at this table. Check the key that your first device shows.",
    ),
    "not yours": (
        "この卓を消せるのは、卓を立てた人か、ひとりで遊んだ人だけです。みんなで遊んでいる卓は、終わってから消せます。",
        "Only whoever opened it, or played there alone, can delete a table; one where others play, when it is over.",
    ),
    "no lab": ("試遊室は、このサーバーでは開いていません。", "The lab is not open on this server."),
    "no study": ("その調べものは、もうありません。", "That study is not there (any more)."),
    "lab nothing": (
        "人数と打ち手を、ひとつずつは選んでください。",
        "Choose at least one number of players and one kind of player.",
    ),
    "lab busy": (
        "いまほかの調べものが待っています。少ししてからどうぞ。",
        "Other studies wait already. Try again in a while.",
    ),
    "pace": (
        "少しのあいだに送られすぎました。すこし待ってから、もう一度どうぞ。",
        "Too much came in too short a time. Wait a little, then try again.",
    ),
    "crowded": (
        "いまは卓や見ている人が多すぎます。しばらくしてから、もう一度どうぞ。",
        "There are too many tables or watchers just now. Try again in a while.",
    ),
    "spectator": (
        "この卓では見るだけです。手を選べるのは席にいる人だけです。自分で遊ぶには、棚から新しく始めてください。",
        "At this table you are watching: only those in its seats may play. To play yourself, start a game from the "
        "shelf.",
    ),
    "stale": (
        "この手を受け取る前に、卓は先へ進んでいました(同じ手を二度送ったのかもしれません)。いまの様子はこのとおりです。",
        "The table had gone on before this move came (it may have been sent twice). This is how things stand now.",
    ),
    "not your turn": (
        "いまはほかの人の番です。あなたの番が来るまでお待ちください。",
        "It is another's turn now. Please wait for yours.",
    ),
    "game over": ("このゲームはもう終わっています。", "This game is over already."),
    "illegal": (
        "その手はいまはできません。できるのは: {legal}",
        "That move cannot be made now. What can: {legal}",
    ),
    "said nothing": (
        "新しい合計を数字で書いてから、札を出してください。",
        "Write the new total in figures, then play.",
    ),
    "claim nothing": (
        "札がまだ置かれていません。手札から順に選んで置いてください。",
        "No card is laid yet. Choose cards from your hand, in order.",
    ),
    "claim absent": (
        "その札は、いまあなたの手札にありません。手札から選んでください。",
        "You do not hold those cards now. Choose from your hand.",
    ),
    "claim keep": (
        "置いた札のうち、手元に残す1枚を選んでください。",
        "Choose which of the cards you laid you will keep.",
    ),
    "claim none": (
        "「{laid}」は、この卓では成り立ちません。選び直すか、やめることができます。何も失われていません。",
        "“{laid}” does not count at this table. Choose anew, or leave it; it costs nothing.",
    ),
    "claim none together": (
        "選んだ札は、いっしょに出せる組ではありません。選び直すか、1枚で出せます。何も失われていません。",
        "The cards chosen do not go together. Choose anew, or play one of them; it costs nothing.",
    ),
    "claim wrong": (
        "並べた札（{laid}）は、成り立つ組ではありません。",
        "What was laid ({laid}) does not count.",
    ),
    "claim claim": (
        "この手は、札を並べて示してください。",
        "Show this by laying the cards.",
    ),
    "word game": (
        "このゲームでは、ことばを足すことはできません。",
        "No words can be added in this game.",
    ),
    "word alone": (
        "ことばを認めるには、ほかの人がもうひとり要ります。ひとりのときは、自分のことばの表で卓を開けます。",
        "Somebody else must be there to accept a word. Alone, you can open a table with a list of your own.",
    ),
    "word open": (
        "ほかのことばについて、みんなの返事を待っています。それが済んでから出してください。",
        "Another word is being voted on. Propose yours when that is settled.",
    ),
    "word none": (
        "そのことばの話し合いは、もう済んでいます。",
        "The vote on that word is over already.",
    ),
    "word own": (
        "自分が出したことばには、ほかの人が答えます。",
        "The others answer on the word you proposed.",
    ),
    "word word": (
        "「{word}」は足せません。山にある札2〜4枚で書け、々で始まらず、まだ認められていないことばだけです。",
        "“{word}” cannot be added: it must be 2 to 4 cards of the deck, not begin with 々, and not count yet.",
    ),
    "still hidden": (
        "記録にはすべての札が書かれているので、ゲームが終わってから受け取れます。",
        "The record tells every card, so it can be had when the game is over.",
    ),
    "name empty": (
        "名前には、目に見える文字をひとつ以上入れてください。",
        "A name needs at least one visible character.",
    ),
    "name long": ("名前は40文字までにしてください。", "A name has at most 40 characters."),
    "name bot": (
        "「bot:」で始まる名前はボットのためのものです。ほかの名前にしてください。",
        "Names that begin “bot:” are kept for bots. Please take another.",
    ),
    "name house": (
        "その名前は、卓そのもの（または読む人）を呼ぶときに使っています。ほかの名前にしてください。",
        "That is what the table itself, or whoever reads, is called here. Please take another name.",
    ),
    "bot at a loss": (
        "ボットが次の手を選べずにいます。しばらくしてもう一度考えます。くわしいことはサーバーの記録にあります。",
        "The bot could not choose a move. It will try again in a while; the server's log says why.",
    ),
    "bot without store": (
        "ボットの手をいま記録に残せません(ディスクがいっぱいか、混み合っています)。何も失われていません。残せるようになれば、ひとりでに先へ進みます。",
        "The bot's move cannot be kept just now (the disk is full, or the store is busy). Nothing is lost. The game "
        "goes on by itself as soon as it can.",
    ),
}


def sentence(key: str, lang: str, **parts: str) -> str:
    """A sentence in a language ("ja" or "en"), with its gaps filled."""
    ja, en = SENTENCES[key]
    return (en if lang == "en" else ja).format(**parts)
