"""The Japanese of what the lab's subcommands say; see words.py."""

from __future__ import annotations

LAB: dict[str, str] = {
    "How many play: 4, 2-5, 2,4 or all; the fewest the game allows unless told.": (
        "人数。4、2-5、2,4、または all。指定がなければ、そのゲームの最少人数。"
    ),
    "An option of the game; several values with commas between are all tried. Repeatable.": (
        "ゲームの設定。値をコンマで並べると全部試す。何度でも書ける。"
    ),
    "How many games. With --out: by random players, others play fewer.": (
        "ゲームの回数。--out があるときは、でたらめに打つボットの回数。ほかのボットはそれより少ない。"
    ),
    "With --out: of how many games at each level every decision is kept.": (
        "--out があるとき、それぞれの腕前で何回分の手をすべて残すか。"
    ),
    "--decisions are kept in a folder: name it with --out.": (
        "--decisions の手はフォルダーに残します。--out で書いてください。"
    ),
    "One bot for all seats, or one for each with commas between. With --out repeatable: levels of play.": (
        "全席に一つ、またはコンマで区切って席ごとに。--out があるときは何度でも書け、それぞれが一つの腕前になる。"
    ),
    "Stop as soon as the win shares are known to X to each side (0.01).": (
        "1位の割合が±X（0.01 など）までわかったら終わる。"
    ),
    "Study it at every level of play; the report goes into this folder.": (
        "いくつかの腕前で調べ、報告をこのフォルダーに書く。"
    ),
    "Go on with what is in the folder of --out.": "--out のフォルダーにあるものの続きから。",
    "Games of people (JSON), to stand in the report beside the bots.": (
        "人が遊んだ回（JSON）。報告でボットと並べる。"
    ),
    "Play each deal once with every bot in every seat.": "同じ札を、どのボットもすべての席で一度ずつ遊ぶ。",
    "Play variants of a game on the same deals and tell, in sentences, what differs.": (
        "設定の違うゲームを同じ札で遊び、違いを文で示す。"
    ),
    "Two variants or more: options as NAME=VALUE, several joined by + (expert=true+target=30).": (
        "二つ以上の設定。NAME=VALUE の形で、一つに何項目もあれば + でつなぐ（expert=true+target=30）。"
    ),
    "How many games of each variant.": "それぞれの設定で遊ぶ回数。",
    "Propose what to write on the box: players, minutes and age, with the reasons.": (
        "箱に書く人数・時間・対象年齢を、理由をつけて提案する。"
    ),
    "The most games at each number of players; fewer where fewer decide it.": (
        "人数ごとに多くて何回遊ぶか。少ない回数で決まれば、そこで終わる。"
    ),
    "Write it as a picture (SVG) into this file.": "絵（SVG）にしてこのファイルに書く。",
    "--people stands in a report: name its folder with --out.": (
        "--people は報告に載せるものです。--out でフォルダーを指定してください。"
    ),
    "--records and --rotate do not go with --out, whose report has its own.": (
        "--records と --rotate は --out と一緒に使えません。報告には初めから入っています。"
    ),
    "--resume goes on with what is in a folder: name it with --out.": (
        "--resume はフォルダーの続きから始めます。--out で指定してください。"
    ),
    "Several --bots are levels of play, for a report: name its folder with --out.": (
        "--bots をいくつも書くのは報告のためです。--out でフォルダーを指定してください。"
    ),
    "--seats is a number or a range, as 4, 2-5, 2,4 or all, not {text!r}.": (
        "--seats は 4、2-5、2,4、all のように書きます（{text!r} は読めません）。"
    ),
    "The file {file!r} holds no games of people: {why}.": (
        "ファイル {file!r} は、人が遊んだ回の記録として読めません（{why}）。"
    ),
    "Two variants are compared: name a second one, as in {example}.": (
        "比べるには二つ要ります。{example} のように、もう一つ書いてください。"
    ),
    "Two variants are compared, and {game} has no options.": (
        "比べるには設定が二つ要りますが、{game} に選べる設定はありません。"
    ),
    "{text!r} names several values; a variant has one of each option.": (
        "{text!r} には値がいくつもあります。一つの設定では一項目に一つです。"
    ),
    "The folder {folder} holds a study already; --resume goes on with it.": (
        "フォルダー {folder} にはもう報告があります。--resume で続きから始められます。"
    ),
    "The folder {folder} holds no study that could be gone on with.": (
        "フォルダー {folder} には、続きから始められる報告がありません。"
    ),
    "The study in {folder} was asked otherwise; go on with the same game, settings and seed.": (
        "{folder} の報告は、別の指定で始めたものです。同じゲーム・設定・種で続けてください。"
    ),
    "The label is in {file}.": "表示を {file} に書きました。",
    "The report is in {file}.": "報告は {file} です。",
    "What this does not tell:": "わからないこと：",
    "positions looked at": "局面を調べました",
    "clauses looked at": "条文を調べました",
    "decisions without a choice": "選ぶ余地のない決断",
    "games that got stuck: nothing was legal": "できる手がなくなった回",
    "minutes at a table (reckoned)": "卓での分（見積もり）",
    "turns a game": "一回の手番の数",
    "{games} deals, {seats} seats, seed {seed}": "札 {games} 組、{seats} 人、乱数の種 {seed}",
    "{minutes} min left": "あと {minutes} 分",
    "{seats} players, {level}: {n} {what}": "{seats} 人、{level}：{n} {what}",
}
"""English texts, and what they are in Japanese."""
