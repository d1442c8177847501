"""The language of the command line: English stands in the code, its Japanese stands here.

The language is that of the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`), or of `--lang`."""

from __future__ import annotations

import os

from tefuda.cli.lab_words import LAB

LANGUAGES = ("ja", "en")

_spoken = "en"


def of_environment() -> str:
    """The language the environment asks for: Japanese, or else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "ja" if os.environ[name].startswith("ja") else "en"
    return "en"


def speak(lang: str) -> None:
    """Speak this language from now on."""
    global _spoken
    _spoken = lang


def language() -> str:
    """The language spoken now."""
    return _spoken


def say(english: str, **values: object) -> str:
    """A text in the language spoken, with its `{places}` filled in."""
    text = JAPANESE.get(english, english) if _spoken == "ja" else english
    return text.format(**values) if values else text


JAPANESE: dict[str, str] = {
    # serve
    "Delete tables that nobody has touched for so long; never unless told.": (
        "この日数だれも触れない卓を消す。指定しなければ消さない。"
    ),
    "Let visitors run studies, which take all cores; unless told only you, at this machine.": (
        "訪れた人が試遊室を使えるようにする（すべてのコアを使います）。指定しなければ、この機械の前にいる人だけ。"
    ),
    "Take as much as comes from each visitor: for a closed room.": "一人から来る数を限らない。閉じた部屋で使うときに。",
    # verify
    "Deal a table's game again from its key: was all its chance settled before the first decision?": (
        "卓の勝負を鍵から配り直して、運のすべてが最初の一手の前に決まっていたかを確かめます。"
    ),
    "{file} holds no key: records of tables do, when the game was played to its end.": (
        "{file} には鍵がありません。鍵が入るのは、終わりまで遊んだ卓の棋譜です。"
    ),
    "{file} does not follow from the key it holds{event}: {reason}.": (
        "{file} は、中の鍵のとおりではありません{event}：{reason}。"
    ),
    " (event {n})": "（{n}番めの出来事）",
    "All chance in {file} follows from the key promised before play.": (
        "{file} の運は、すべて、始まる前に約束された鍵のとおりです。"
    ),
    "Promised: {promised}": "約束：{promised}",
    "Who starts was named by the table before play, and is not among what was promised: {name}.": (
        "最初の人は、始める前に卓が決めました。約束の中にはありません：{name}"
    ),
    # help
    "A workshop for home-made card games: play them, playtest them, check their rules.": (
        "手作りカードゲームの工房。遊ぶ、たくさん試す、ルールを調べる。"
    ),
    "The language spoken.": "表示する言語。",
    "When something goes wrong, show where in the code.": "失敗したとき、コードのどこかを示す。",
    "Say which version this is.": "版を表示する。",
    "JSON for programs instead of text for people.": "文章の代わりに、プログラム用の JSON を出す。",
    "A game's name, or a rules file.": "ゲームの名前、またはルールのファイル。",
    "A game's name, a rules file, or a saved game.": "ゲームの名前、ルールのファイル、または保存した記録。",
    "How many play; the fewest the game allows unless told.": "人数。指定がなければ、そのゲームの最少人数。",
    "A number; the same one deals the same cards again.": "数。同じ数なら同じ札が配られる。",
    "A number; the same one plays the same games again.": "数。同じ数なら同じゲームが繰り返される。",
    "An option of the game: JSON, @file.json or a word. Repeatable.": (
        "ゲームの設定。値は JSON、@file.json、または単語。何度でも書ける。"
    ),
    "List the games, with their seats and options.": "ゲームの一覧（人数と設定）。",
    "Print the rules of a game, for people.": "ゲームのルールを読む。",
    "Play in the terminal, against bots or (--bots none) all seats yourself.": (
        "端末で遊ぶ。相手はボット、または（--bots none）全席を自分で。"
    ),
    "Who else plays: easy, normal, strong, random, greedy, search:1000; or none.": (
        "相手：easy、normal、strong、random、greedy、search:1000、または none。"
    ),
    "List what your cards spell, too.": "手札で作れる組も一覧に出す。",
    (
        "What your cards spell is not listed: finding it is the game. Type the cards, as 徒花 (several words, and the "
        "card to keep: 徒花 器用 =徒). {mark}1 plays the first of the list. ? help, u undo, q save and quit."
    ): (
        "手札で作れる組は一覧に出ません。見つけるのが遊びです。徒花 のように札を打ち込みます"
        "（いくつも並べて1枚を残すときは 徒花 器用 =徒）。{mark}1 は一覧の最初の手。"
        "? ヘルプ、u 取り消し、q 保存して終わる。"
    ),
    "{typed!r} does not count, or you do not hold it.": "{typed!r} は成り立たないか、手札にありません。",
    "The rules file of a saved game that is your own.": "自作ゲームの記録なら、そのルールのファイル。",
    "The rules file of a game that is your own.": "自作ゲームの記録なら、そのルールのファイル。",
    "Check a record by playing it again, and show it.": "記録を再現して確かめ、表示する。",
    "A record (*.fuda.json).": "記録（*.fuda.json）。",
    "One JSON line a decision: what that seat might have done.": "決断ごとに、できた手を JSON で一行ずつ。",
    "Only what a seat (0, 1, …) or a `spectator` saw.": "席（0, 1, …）または観客（spectator）に見えたものだけ。",
    "Judge every decision of a finished game, and tell where it turned.": (
        "終わったゲームの決断をひとつずつ調べ、流れの変わりめを示す。"
    ),
    "A record (*.fuda.json) of a game that is over.": "終わったゲームの記録（*.fuda.json）。",
    "The bot that judges; the longer it searches, the surer it is.": "調べるボット。長く読むほど確かになる。",
    "How many moves are shown a decision.": "決断ごとに示す手の数。",
    "Play many games between bots and tell what came of them, with 95 % intervals.": (
        "ボット同士でたくさん遊び、結果を95%区間つきで示す。"
    ),
    "One bot for all seats, or one for each with commas between.": "全席に一つ、またはコンマで区切って席ごとに。",
    "Write records of the first games into this folder.": "初めの何回かの記録をこのフォルダーに書く。",
    "How many records.": "記録の数。",
    "How many threads play; one a core unless told.": "スレッドの数。指定がなければコアの数。",
    # what is wrong
    "There is no language {lang!r}; choose one of: {known}.": (
        "{lang!r} という言語はありません。{known} から選んでください。"
    ),
    "There is no file {file!r}.": "{file!r} というファイルはありません。",
    "There is no game {game!r}; the games: {known}, or give the path of a rules file.": (
        "{game!r} というゲームはありません。あるのは {known} です。ルールのファイルのパスでもかまいません。"
    ),
    "{text!r} is no option: write it as NAME=VALUE.": (
        "{text!r} は設定として読めません。NAME=VALUE の形で書いてください。"
    ),
    "{game} has no option {name!r}; its options: {known}.": (
        "{game} に {name!r} という設定はありません。あるのは {known} です。"
    ),
    "none": "（なし）",
    "The option {name} takes {takes}, not {value!r}.": "設定 {name} に書けるのは {takes}。{value!r} にはできません。",
    "The file {file!r} cannot be read: {why}.": "ファイル {file!r} を読めません（{why}）。",
    "The file {file!r} does not hold JSON: {why}.": "ファイル {file!r} は JSON ではありません（{why}）。",
    "true or false": " true か false ",
    " or ": " か ",
    "a whole number from {low} to {high}": "{low} から {high} までの整数",
    "{game} is for {low} to {high} players, not {seats}.": (
        "{game} は {low}〜{high} 人用です。{seats} 人では遊べません。"
    ),
    "{game} has no rules page ({page} beside its rules file).": (
        "{game} には説明のページがありません（ルールのファイルの隣の {page}）。"
    ),
    "A saved game has its seats, cards and options already.": "保存した記録の席、札、設定は、もう決まっています。",
    "--legal and --view do not go together: --legal tells what every seat might have done.": (
        "--legal と --view は一緒に使えません。--legal は全席の手を示します。"
    ),
    "There is no seat {view!r}; the seats are 0 to {last}, or `spectator`.": (
        "{view!r} という席はありません。席は 0 から {last} まで、または spectator です。"
    ),
    "The record is refused: {reason}.": "この記録は読めません：{reason}",
    "The rules file is wrong: {reason}.": "ルールのファイルに誤りがあります：{reason}",
    "The rules file is wrong: {reason}. `tefuda check {file}` tells more.": (
        "ルールのファイルに誤りがあります：{reason}。`tefuda check {file}` でもっとわかります。"
    ),
    "The system refuses: {reason}.": "できませんでした：{reason}",
    "Something went wrong inside Tefuda ({what}). `tefuda --debug …` shows where.": (
        "Tefuda の中で問題が起きました（{what}）。`tefuda --debug …` で場所がわかります。"
    ),
    "{reason} The levels: {levels}; or `none`.": "{reason}強さの名前：{levels}。または none。",
    "Nobody but bots plays in this game; `tefuda replay` shows it.": (
        "この記録にはボットしかいません。`tefuda replay` で見られます。"
    ),
    # tables
    "name": "名前",
    "title": "題",
    "author": "作者",
    "players": "人数",
    "options and their defaults": "設定とはじめの値",
    "chance": "偶然",
    "place": "順位",
    "player": "名前",
    "points": "得点",
    "{n} face down": "伏せ札 {n} 枚",
    "Ended by the cap on decisions.": "決断の数の上限で終わりました。",
    "The game is not over; next decides {name}.": "まだ終わっていません。次は {name} の番です。",
    "Bot {seat}": "ボット{seat}",
    # the analysis
    "The game is not over; it can be analysed when it is.": (
        "まだ終わっていないので、調べられません。終わってからどうぞ。"
    ),
    "The bot is looking at the game …": "ボットがゲームを調べています…",
    "The bot has looked at {done} of {total} decisions …": "ボットが {total} のうち {done} の決断を調べました…",
    "There were many decisions; {n} of {every} were chosen to be looked at.": (
        "決断が多いので、{every} のうち {n} を選んで調べました。"
    ),
    "played": "指した手",
    "worse": "損",
    "best": "有力な手",
    (
        "best: how much of the search went into a move, and the mean place it led to (1 first, 0 last). worse: how "
        "much less the move played was worth (95 % interval). %: each seat's chances of winning before the decision, "
        "the mean of what all seats reckon from the cards they see."
    ): (
        "有力な手：読みのうちその手に使った割合と、行き着いた順位の平均（1 が一位、0 が最下位）。損：指した手がどれだけ"
        "劣るか（95%区間）。%：決断の前の、各席の勝つ見込み。どの席も自分に見える札だけから見積もり、その平均をとったもの。"
    ),
    "Where the game turned:": "流れが変わったところ：",
    # the lab
    "compiling the rules": "ルールを準備中",
    "games played": "終わったゲーム",
    "{games} games, {seats} seats, seed {seed}": "{games} 回、{seats} 人、乱数の種 {seed}",
    "Shares of first places (shared ones in parts), with 95 % intervals:": "1位の割合（同着は等分）と95%区間：",
    "seat {seat}": "席{seat}",
    "decides first": "最初に動く",
    "decides as number {n}": "{n} 番目に動く",
    "bot": "ボット",
    "mean place {place} of {seats}": "平均の順位 {place}（{seats} 席のうち）",
    "decisions a game": "一回の決断の数",
    "legal moves a decision": "一度に選べる手の数",
    "games ended by a cap": "上限で打ち切られた回数",
    "{seconds:.2f} s on {threads} threads": "{seconds:.2f} 秒、{threads} スレッド",
    "{n:,.0f} decisions a second": "毎秒 {n:,.0f} 決断",
    "{n} records are in {folder}.": "記録 {n} 件を {folder} に書きました。",
    # the decks
    "The decks of kanji and of grabbing cards: list one, look it over, make your own.": (
        "漢字と取り札の山。一覧を見る、調べる、自分で作る。"
    ),
    "A deck's name (reconstruction, dense, full), or a deck file.": (
        "山の名前（reconstruction、dense、full）、または山のファイル。"
    ),
    "The list of words: standard/1, common/1 or none.": "言葉の表。standard/1、common/1、または none。",
    "List a deck: its cards and its words.": "山の一覧（札と言葉）。",
    "Look a deck over: words, dead kanji, hands, neighbours.": "山を調べる（言葉、死んだ漢字、手札、隣どうし）。",
    "Search kanji that make many words, and arrange them.": "言葉がたくさんできる漢字を探して並べる。",
    "The school grades to take kanji from.": "漢字をとる学年。",
    "How many kanji.": "漢字の数。",
    "Kanji that must be in it.": "必ず入れる漢字。",
    "How many kanji of each grade, from the lowest to the highest.": "学年ごとの漢字の数。低い学年から順に。",
    "How many jokers.": "ジョーカーの数。",
    "A number; the same one finds the same deck again.": "数。同じ数なら同じ山が見つかる。",
    "Where the deck is written.": "山を書くファイル。",
    "There is no deck {name!r}; the decks: {known}, or give the path of a deck file.": (
        "{name!r} という山はありません。あるのは {known} です。山のファイルのパスでもかまいません。"
    ),
    "This deck cannot be: {why}.": "この山は使えません：{why}。",
    "There is no list of words {name!r}; the lists: {known}.": (
        "{name!r} という言葉の表はありません。あるのは {known} です。"
    ),
    "kimariji": "決まり字",
    "poem": "歌",
    "on the card": "札の字",
    "word": "言葉",
    "reading": "読み",
    "meaning": "意味（英語）",
    "{n} words of the list {lexicon}, {common} of them common.": (
        "{lexicon} の言葉 {n} 語、うちよく使うもの {common} 語。"
    ),
    "{n} kanji, {jokers} jokers {joker}": "漢字 {n} 字、ジョーカー {joker} {jokers} 枚",
    "A reconstruction: which kanji the published deck has is not public.": (
        "復元案です。市販の山の漢字は公開されていません。"
    ),
    "{n} words of the list {lexicon}: {two} of two cards, {three} of three, {four} of four; {jokers} with {joker}": (
        "{lexicon} の言葉 {n} 語。二字 {two}、三字 {three}、四字 {four}。うち {joker} を使うもの {jokers}"
    ),
    "Dead kanji, in no word at all: {dead}": "どの言葉にも入らない漢字：{dead}",
    "No kanji is dead: each is in a word.": "どの漢字も何かの言葉に入ります。",
    "The cards stand in no suits: their number is no multiple of four.": (
        "枚数が 4 の倍数ではないので、マークと数はありません。"
    ),
    "Of {pairs} pairs of neighbours these make no word: {apart}": (
        "隣どうし {pairs} 組のうち言葉にならないもの：{apart}"
    ),
    "All {pairs} pairs of neighbours make a word.": "隣どうし {pairs} 組はすべて言葉になります。",
    "cards in the hand": "手札の枚数",
    "holds a word": "言葉がある",
    "holds a common word": "よく使う言葉がある",
    "kanji": "漢字",
    "makes words of two with": "二字の言葉になる相手",
    "{n} grabbing cards": "取り札 {n} 枚",
    "length of the kimariji": "決まり字の長さ",
    "cards": "枚数",
    "More than once: {cards}": "二枚以上ある札：{cards}",
    "{n} dubs: {dubs}": "ダブ {n} 組：{dubs}",
    "holds a dub": "ダブがある",
    "The file {file!r} is there already; name another with --out.": (
        "ファイル {file!r} はもうあります。--out で別の名前を指定してください。"
    ),
    "A deck has {least} to {most} kanji.": "山の漢字は {least}〜{most} 字です。",
    "A deck has 0 to {most} jokers.": "ジョーカーは 0〜{most} 枚です。",
    "These are no kanji of the grades 1 to 5, of which the list of words is made: {kanji}": (
        "言葉の表は 1〜5 年生の漢字で作られています。これは入れられません：{kanji}"
    ),
    "searching kanji": "漢字を探しています",
    "arranging them": "並べています",
    "The grades are written like 1-3, from 1 to 5, not {text!r}.": (
        "学年は 1-3 のように 1 から 5 の範囲で書きます（{text!r} は読めません）。"
    ),
    "--mix takes a number for each of the {n} grades, with commas between, not {text!r}.": (
        "--mix には {n} 学年それぞれの数をコンマで区切って書きます（{text!r} は読めません）。"
    ),
    "The deck is in {file}. Play with it: tefuda play jukugo_ten --option deck=@{file}": (
        "山を {file} に書きました。これで遊ぶには：tefuda play jukugo_ten --option deck=@{file}"
    ),
    # the pages
    "Serve the pages, to play in the browser.": "ブラウザーで遊ぶページを開く。",
    "Rules files of your own, to be played too.": "一緒に遊べるようにする自作のルールのファイル。",
    "Where to listen; 0.0.0.0 for everywhere.": "待ち受けるアドレス。0.0.0.0 ならどこからでも。",
    "The port; 0 takes a free one.": "ポート番号。0 なら空いているもの。",
    "Open the page in the browser.": "ブラウザーでページを開く。",
    "Where tables are kept; a SQLite file in your data folder unless told.": (
        "卓の保存先。指定がなければデータフォルダーの SQLite ファイル。"
    ),
    "Port {port} of {host} cannot be used ({why}); choose another with --port.": (
        "{host} のポート {port} は使えません（{why}）。--port で別の番号を選んでください。"
    ),
    "The database cannot be used: {why}.": "データベースを使えません：{why}",
    # the doctor
    "Look over a rules file: play it in every way there is and say what is wrong.": (
        "ルールのファイルを調べる。あらゆる遊び方を試し、誤りを示す。"
    ),
    "How many games for each seat count and option.": "人数と設定ごとに遊ぶ回数。",
    "A number; the same one finds the same faults.": "数。同じ数なら同じ誤りが見つかる。",
    "Where the records that show a fault are written.": "誤りを示す記録を書くフォルダー。",
    "passed": "よし",
    "failed": "誤り",
    "skipped": "飛ばした",
    "A record that shows it: {file}": "それを示す記録：{file}",
    "Not in order: {names}.": "誤りがあります：{names}",
    "{n} more checks wait until that is mended.": "ほかの {n} の検査は、それが直ってからします。",
    "All in order.": "すべてよし。",
    # playing
    "Player {n}": "プレイヤー{n}",
    "You": "あなた",
    "A number or the text of a move plays it; ? help, u undo, q save and quit.": (
        "番号か手の表記で指します。? 説明、u 待った、q 保存して終了。"
    ),
    "Moves are written as numbers here, so the list is numbered #1, #2, …: 4 is the move 4, #4 the fourth of the list. "
    "? help, u undo, q save and quit.": (
        "このゲームの手は数で書くので、一覧の番号は #1、#2、…です。4 は「4」という手、#4 は一覧の四番目。"
        "? 説明、u 待った、q 保存して終了。"
    ),
    "The bots are learning the rules (the first time this takes some seconds) …": (
        "ボットがルールを覚えています（初回は数秒かかります）…"
    ),
    "{name} is thinking …": "{name} が考えています…",
    "{typed!r} may not be played now: type a number or a move of the list.": (
        "{typed!r} は今できません。番号か、一覧にある手を入力してください。"
    ),
    "There are only the moves 1 to {n}.": "手は 1 から {n} までです。",
    "There is no move of yours to take back.": "戻せる手がありません。",
    "Taken back.": "手を戻しました。",
    "Type the number of a move, or the move itself as it is written in the list.": (
        "手の番号か、一覧に書かれている表記そのものを入力します。"
    ),
    "u takes your last move back, q saves the game and leaves.": "u で直前の手を戻し、q で保存して終わります。",
    "The rules: tefuda rules {game}": "ルール：tefuda rules {game}",
    "Saved. Go on with: tefuda play {file}": "保存しました。続きは：tefuda play {file}",
}
"""English texts of this command line, and what they are in Japanese."""

JAPANESE.update(LAB)

HELP_WORDS: tuple[tuple[str, str], ...] = (
    ("Usage:", "使い方:"),
    ("Arguments:", "引数:"),
    ("Options:", "オプション:"),
    ("Commands:", "コマンド:"),
    ("Examples:", "例:"),
    ("Show this message and exit.", "この説明を表示する。"),
    ("[default: ", "[指定がなければ "),
    ("[required]", "[必須]"),
)
"""What Typer puts into a help page by itself."""

TYPER_SAYS: tuple[tuple[str, str, str], ...] = (
    (
        r"No such command '(.*?)'\..*",
        "There is no command {0!r}; `tefuda --help` lists them.",
        "{0} というコマンドはありません。`tefuda --help` に一覧があります。",
    ),
    (
        r"No such option: (--lang|--debug|--version)\b.*",
        "{0} stands before the command: tefuda {0} …",
        "{0} はコマンドの前に書きます：tefuda {0} …",
    ),
    (
        r"No such option: (\S+?)\.?(?: .*)?",
        "There is no option {0}; --help lists them.",
        "{0} というオプションはありません。--help に一覧があります。",
    ),
    (
        r"Missing argument '(.*?)'\..*",
        "{0} is missing; --help tells more.",
        "{0} が足りません。--help に説明があります。",
    ),
    (
        r"Missing command\.",
        "A command is missing; `tefuda --help` lists them.",
        "コマンドがありません。`tefuda --help` に一覧があります。",
    ),
    (r"Option '(.*?)' requires an argument\.", "{0} needs a value.", "{0} には値が要ります。"),
    (r"Got unexpected extra argument\S* \((.*)\)", "This is too much: {0}.", "余分なものがあります：{0}"),
    (r"Invalid value for '(.*?)'.*?: .*valid integer.*", "{0} takes a whole number.", "{0} の値は整数です。"),
    (
        r"Invalid value for '(.*?)'.*?: .*(?:greater than or equal to|x>=)[^\d-]*(-?\d+(?:\.\d+)?).*",
        "{0} takes a number from {1} up.",
        "{0} の値は {1} 以上です。",
    ),
)
"""What Typer says of a wrong command line (a pattern), and the same in plain English and Japanese."""
