// What a page does beyond being a page. Without this script everything can still be read and played.
//   laying     cards of the hand laid in order in the tray, to be claimed as words
//   choosing   the buttons say exactly what will happen; only what is legal can be chosen together
//   moving     a move is sent and the table comes back as a fragment, swapped in a view transition
//   hearing    the server tells when the table has changed
//   looking    a card enlarged: hold it, press Z, or rest the pointer on it
//   keys       arrows from card to card, space chooses, Enter plays, ? for help
"use strict";

const byId = (id) => document.getElementById(id);
const main = () => byId("main");
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Put a text into an element; on a page in another language what is Japanese in it says so, for voices and glyphs. */
function write(element, text) {
  const pieces = document.documentElement.lang === "ja" ? [text] : text.split(/([\u3005\u3040-\u30ff\u3400-\u9fff]+)/);
  const marked = (words) => Object.assign(document.createElement("span"), { lang: "ja", textContent: words });
  element.replaceChildren(...pieces.map((piece, i) => (i % 2 ? marked(piece) : piece)));
}

// ---------------------------------------------------------------------------------------------------- choosing

const moveForm = () => byId("move");
const choices = () => all("input:not([type=hidden])", main()).filter((input) => input.form === moveForm());

/** The legal moves as the page gives them: [{move, picks: {field: [card, …]}, parts: {field: value}, label}]. */
function legalMoves() {
  const legal = moveForm()?.dataset.legal;
  return legal ? JSON.parse(legal) : [];
}

function chosen(without) {
  const found = {};
  for (const input of choices()) {
    if (input.checked && !input.disabled && input !== without) (found[input.name] ??= []).push(input.value);
  }
  const together = laid.flat().map((button) => button.value);
  if (together.length) found[`pile.${tray().dataset.pile}`] = together;
  return found;
}

/** Whether `some` lies within `whole`, cards counted. */
function within(some, whole) {
  const left = [...whole];
  return some.every((card) => {
    const i = left.indexOf(card);
    if (i >= 0) left.splice(i, 1);
    return i >= 0;
  });
}

/** Whether the choice can still become this move. */
function leadsTo(wish, choice) {
  return (
    Object.entries(wish.picks).every(([field, cards]) => within(choice[field] ?? [], cards)) &&
    Object.entries(wish.parts).every(([field, value]) => !choice[field] || choice[field][0] === value)
  );
}

/** Whether the choice is this move. */
function is(wish, choice) {
  return (
    leadsTo(wish, choice) &&
    Object.entries(wish.picks).every(([field, cards]) => (choice[field] ?? []).length === cards.length) &&
    Object.keys(wish.parts).every((field) => choice[field])
  );
}

const touches = (wish, choice) => [...Object.keys(wish.picks), ...Object.keys(wish.parts)].some((f) => choice[f]);

/** The buttons say what they would do now. */
function sayWhatHappens(aloud) {
  const form = moveForm();
  if (!form?.dataset.legal) return;
  const legal = legalMoves();
  const choice = chosen();
  for (const button of all("button[name=move]", form)) {
    if (!("needs" in button.dataset)) continue;
    if (button.value === "claim" && tray()) {
      sayWhatIsClaimed(button);
      continue;
    }
    const wishes = legal.filter((wish) => wish.move === button.value);
    const exact = wishes.find((wish) => is(wish, choice));
    const near = wishes.find((wish) => touches(wish, choice) && leadsTo(wish, choice) && complete(wish, choice));
    write(button, exact ? exact.label : near ? withMore(near, choice) : button.dataset.choose);
    button.disabled = !exact;
    if (exact && aloud) announce(exact.label);
  }
}

/** The button that claims: a word has at least two cards, and where one is kept it must be chosen. */
function sayWhatIsClaimed(button) {
  const enough = laid.flat().length > 1;
  const keeps = "keeps" in tray().dataset;
  const ready = enough && (!keeps || Boolean(keptCard()));
  button.disabled = !ready;
  write(button, ready || (keeps && !enough) ? button.dataset.label : button.dataset.choose);
}

/** Whether all that is missing from the choice is more of the same cards. */
function complete(wish, choice) {
  return (
    Object.entries(wish.picks).every(([f, cards]) => choice[f] && cards.every((card) => choice[f].includes(card))) &&
    Object.keys(wish.parts).every((field) => choice[field])
  );
}

/** What a move is called, and how many more cards it takes. */
function withMore(wish, choice) {
  const more = Object.entries(wish.picks).reduce((n, [field, cards]) => n + cards.length - choice[field].length, 0);
  const { one, many } = moveForm().dataset;
  return (more === 1 ? one : many).replace("#", more).replace("@", () => wish.label);
}

/** A card that cannot go together with those chosen takes their place. */
function makeRoom(input) {
  if (!input.checked || !input.name.startsWith("pile.")) return;
  const here = { [input.name]: chosen()[input.name] ?? [] };
  const possible = legalMoves().some((wish) => wish.picks[input.name] && leadsTo(wish, here));
  if (!possible) {
    for (const other of choices()) if (other !== input && other.name === input.name) other.checked = false;
  }
}

// ------------------------------------------------------------------------------------------------------ laying

const tray = () => main()?.querySelector("#tray");
const layable = () => all("button[name=put], button[name=pull]", main());
const keptCard = () => tray()?.querySelector("input[name=keep]:checked")?.value;

/** The words that lie in the tray, each as the buttons of its cards in the hand, in order. */
let laid = [];

/** Lay words, given by the names of their cards, as far as the cards are there. */
function layAll(words, keep) {
  const free = layable();
  const take = (name) => {
    const at = free.findIndex((button) => button.value === name);
    return at < 0 ? [] : free.splice(at, 1);
  };
  laid = words.map((word) => word.flatMap(take)).filter((word) => word.length);
  drawTray(keep);
}

/** Take up what the server's page laid. */
function readTray() {
  laid = [];
  if (!tray()) return;
  const words = [];
  for (const input of all(".laid-cards input", tray())) (words[Number(input.name.slice(4))] ??= []).push(input.value);
  layAll(words.filter(Boolean), keptCard());
}

function drawTray(keep = keptCard()) {
  const box = tray();
  const words = box.querySelector(".words");
  words.replaceChildren(
    ...laid.map((word) => {
      const list = document.createElement("ol");
      list.className = "word";
      list.append(...word.map((button) => button.nextElementSibling.content.firstElementChild.cloneNode(true)));
      return list;
    }),
  );
  if (!laid.length) words.append(box.querySelector("template[data-none]").content.cloneNode(true));
  const kept = all("input[name=keep]", words).find((input) => input.value === keep);
  if (kept) kept.checked = true;
  box.querySelector(".laid-cards").replaceChildren(
    ...laid.flatMap((word, n) =>
      word.map((button) => Object.assign(document.createElement("input"), { type: "hidden", name: `lay.${n}`, value: button.value })),
    ),
  );
  const order = laid.flat();
  for (const button of layable()) {
    const place = order.indexOf(button) + 1;
    button.name = place ? "pull" : "put";
    button.setAttribute("aria-pressed", String(place > 0));
    button.querySelector(".seal").textContent = place || "";
  }
  if (box.dataset.sum) {
    const worth = order.map((button) => Number(button.dataset.worth));
    box.querySelector(".sum .parts").textContent = worth.join(box.dataset.plus);
    box.querySelector(".sum b").textContent = box.dataset.sum.replace("#", worth.reduce((a, b) => a + b, 0));
  }
  for (const button of all("button[name=tray]", moveForm())) {
    if (button.value === "join") button.hidden = laid.length < 2;
    else button.disabled = !laid.length;
  }
}

/** One of the tray's buttons was pressed: put or pull a card, take the last back, join two words, lay a whole one. */
function lay(button) {
  const most = Number(tray().dataset.words);
  const hand = main().querySelector(".hand");
  const handAt = hand?.getBoundingClientRect().top;
  if (button.name === "put") {
    const last = laid.at(-1);
    if (last && (last.length === 1 || laid.length === most)) last.push(button);
    else laid.push([button]);
  } else if (button.name === "pull") {
    laid = laid.map((word) => word.filter((one) => one !== button));
  } else if (button.name === "spell") {
    const names = button.dataset.cards.split(" ");
    const others = laid.map((word) => word.map((one) => one.value).filter((name) => !names.includes(name)));
    layAll(most > 1 ? [...others, names] : [names], keptCard());
  } else if (button.value === "join") {
    laid.push(laid.splice(-2).flat());
  } else if (laid.length) {
    laid.at(-1).pop();
  }
  laid = laid.filter((word) => word.length);
  drawTray();
  if (hand) scrollBy(0, hand.getBoundingClientRect().top - handAt); // the cards stay under the finger
  sayWhatHappens(false);
  const sum = tray().querySelector(".sum b")?.textContent ?? "";
  announce([...laid.map((word) => word.map((one) => one.value).join("")), sum].join(" "));
  holdSilence();
}

/** Whoever lays cards is about to say something: tell the server, once. */
function holdSilence() {
  if (!main().dataset.hold || main().dataset.held || !laid.length) return;
  main().dataset.held = "1";
  const fields = new URLSearchParams({ at: main().dataset.at });
  fetch(main().dataset.hold, { method: "POST", body: fields, headers: { "X-Fragment": "main" } }).catch(() => {});
  main().querySelector(".clock")?.classList.add("held");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[name=put], button[name=pull], button[name=tray], button[name=spell]");
  if (button && tray() && button.form === moveForm()) {
    event.preventDefault();
    lay(button);
  }
});

document.addEventListener("change", (event) => {
  if (event.target.form && event.target.form === moveForm()) {
    makeRoom(event.target);
    sayWhatHappens(true);
  }
});

// A radio that is on can be put out again.
let wasOn = null;
document.addEventListener("pointerdown", (event) => {
  const input = event.target.closest("label")?.querySelector("input[type=radio]") ?? null;
  wasOn = input?.checked && input.form === moveForm() ? input : null;
});
document.addEventListener("click", (event) => {
  if (event.target === wasOn && wasOn.checked) {
    wasOn.checked = false;
    wasOn = null;
    sayWhatHappens(false);
  }
});

// ------------------------------------------------------------------------------------------------------ moving

function announce(text) {
  const said = byId("said");
  if (said && text) write(said, text);
}

function trouble(text) {
  const box = byId("trouble");
  if (!box) return;
  box.textContent = text ?? "";
  box.hidden = !text;
}

const lastTold = (table) => Math.max(-1, ...all(".log [data-n]", table).map((line) => Number(line.dataset.n)));
const lastHeard = (table) => Math.max(-1, ...all(".chat [data-line]", table).map((line) => Number(line.dataset.line)));

function nameOf(element) {
  if (!element || !main().contains(element)) return null;
  if (element.name === "put" || element.name === "pull") return `.hand button[value="${CSS.escape(element.value)}"]`;
  if (element.localName === "button" && element.name) {
    return `button[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`;
  }
  const chosen = element.matches("[type=radio], [type=checkbox]");
  if (chosen && element.name) return `input[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.name) return `${element.localName}[name="${CSS.escape(element.name)}"]`;
  return [".log", ".said", ".hand", ".status"].find((box) => element.matches(box)) ?? null;
}

/** The cards that may be chosen now, those of the hand first. */
const playable = (root) =>
  [".hand", ".row", ".columns", ".spread"].flatMap((place) => all(`${place} :is(input, button.pick):enabled`, root));

/** The focus goes to the first of some elements that can have it. */
function focusFirst(elements) {
  for (const element of elements) {
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

/** Put a new table in the place of the old: cards glide, what was chosen stays chosen, the focus stays. */
function swap(next) {
  if (next.dataset.page !== main().dataset.page) {
    location.reload(); // the game has begun
    return;
  }
  const last = newest ?? main();
  if (Number(next.dataset.at) < Number(last.dataset.at) || next.outerHTML === lastMarkup) return;
  const wasMine = Boolean(moveForm()?.dataset.legal);
  newest = next;
  lastMarkup = next.outerHTML;
  hidePeek();
  if (document.startViewTransition && !calm.matches && document.visibilityState === "visible") {
    document.startViewTransition(() => put(next)).ready.catch(() => {}); // cut short when the next one comes
  } else {
    put(next);
  }
  tell(last, next);
  if (!wasMine && next.querySelector("#move[data-legal]")) document.dispatchEvent(new Event("my-turn"));
}
let newest = null; // the table shown, or about to be: a transition begins later, and meanwhile another may come
let lastMarkup = "";

/** A voice tells what has changed, once: what happened, what others said or ask, and whose turn it is then. */
function tell(last, next) {
  const said = (line) => [...line.children].map((piece) => piece.textContent.trim()).join(" ");
  const [told, heard] = [lastTold(last), lastHeard(last)];
  const news = all(".log [data-n]", next).filter((line) => Number(line.dataset.n) > told).reverse().map(said);
  news.push(...all(".chat [data-line]:not(.own)", next).filter((line) => Number(line.dataset.line) > heard).map(said));
  for (const what of [".vote p", ".status strong, .startbar p"]) {
    const now = next.querySelector(what)?.textContent.trim();
    if (now && now !== last.querySelector(what)?.textContent.trim()) news.push(now);
  }
  announce(news.join(" / "));
}

/** The step of a replay that is shown may lie far down its list. */
function showNow() {
  const step = document.querySelector(".log .now");
  if (step) step.closest(".log").scrollTop = step.offsetTop - step.closest(".log").offsetTop - 96;
}

function put(next) {
  const old = main();
  const focus = nameOf(document.activeElement);
  const nth = focus ? all(focus, old).indexOf(document.activeElement) : -1;
  const kept = next.dataset.at === old.dataset.at && !next.querySelector("#refusal") ? choices() : [];
  const checked = kept.filter((input) => input.checked).map((input) => [input.name, input.value]);
  const lay = next.dataset.at === old.dataset.at && !next.querySelector("#refusal") && tray();
  const words = lay ? laid.map((word) => word.map((button) => button.value)) : [];
  const keep = keptCard();
  const held = old.dataset.held;
  const handAt = old.querySelector(".hand")?.scrollLeft ?? 0;
  const logAt = old.querySelector(".log")?.scrollTop ?? 0;
  const sideAt = old.querySelector(".side")?.scrollTop ?? 0;
  const entered = enteredIn(old);
  const open = new Map(all("details", old).map((box) => [box.className, box.open]));
  old.replaceWith(next);
  for (const box of all("details", next)) box.open = open.get(box.className) ?? box.open;
  enterAgain(next, entered);
  readTray();
  if (words.length && tray()) layAll(words, keep);
  if (held && next.dataset.at === old.dataset.at) {
    next.dataset.held = held;
    next.querySelector(".clock")?.classList.add("held");
  }
  for (const [name, value] of checked) {
    const again = choices().find((i) => i.name === name && i.value === value && !i.checked && !i.disabled);
    if (again) again.checked = true;
  }
  const hand = next.querySelector(".hand");
  if (hand) hand.scrollLeft = handAt;
  const log = next.querySelector(".log");
  if (log) log.scrollTop = logAt;
  const side = next.querySelector(".side");
  if (side) side.scrollTop = sideAt;
  if (byId("guide-open") && lessonOpen !== null) byId("guide-open").checked = lessonOpen;
  if (focus) {
    const there = all(focus, next);
    const others = [...playable(next), ...all("button[name=move]", next), ...all(".hand, .status", next)];
    focusFirst([...there.slice(nth), ...there.slice(-1), ...others]);
  }
  document.title = next.dataset.title;
  sayWhatHappens(false);
  if (next.dataset.at !== old.dataset.at) bringTurn();
  document.dispatchEvent(new Event("swapped"));
}

// What somebody has typed or chosen beside the game, and not sent yet, stays when the page around it changes.
const fieldsOf = (root) =>
  all("input:not([type=hidden], [readonly]), textarea, select", root).filter((field) => field.form && field.form !== moveForm());
const isChoice = (field) => field.matches("[type=radio], [type=checkbox]");
const keyOf = (field) => JSON.stringify([field.form.action, field.name, isChoice(field) ? field.value : ""]);

function isAsSent(field) {
  if (isChoice(field)) return field.checked === field.defaultChecked;
  if (field.localName === "select") return [...field.options].every((option) => option.selected === option.defaultSelected);
  return field.value === field.defaultValue;
}

/** The fields that are not as the server sent them, by their keys. */
function enteredIn(root) {
  return new Map(fieldsOf(root).filter((field) => !isAsSent(field)).map((field) => [keyOf(field), field]));
}

function enterAgain(root, entered) {
  for (const field of fieldsOf(root)) {
    const before = entered.get(keyOf(field));
    if (!before) continue;
    if (isChoice(field)) field.checked = before.checked;
    else if (field.localName !== "select" || [...field.options].some((option) => option.value === before.value)) {
      field.value = before.value;
    }
    if (before.selectionStart && field.setSelectionRange) field.setSelectionRange(before.selectionStart, before.selectionEnd);
  }
}

let lessonOpen = null; // the explanation of a first game: as the reader left it, though it comes and goes; null: untouched
document.addEventListener("change", (event) => {
  if (event.target.id !== "guide-open") return;
  lessonOpen = event.target.checked;
  bringTurn();
});

/** When the turn comes, what one chooses from comes into view: on a small screen it may lie below the buttons. */
function bringTurn() {
  if (!moveForm()?.dataset.legal || byId("guide-open")?.checked) return;
  const first = main().querySelector(".hand :is(input, button.pick):enabled") ?? choices().find((input) => !input.disabled);
  const group = first?.closest(".hand, .seats, .given, .spread, .columns, .row, .questions");
  group?.scrollIntoView({ block: "nearest" });
  const buttons = main().querySelector(".mine .acts");
  if (group?.closest(".mine") && buttons) {
    scrollBy(0, Math.max(0, group.getBoundingClientRect().bottom - buttons.getBoundingClientRect().top + 2));
  }
  main().querySelector(".hand.fan .fresh")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The table in an answer of the server; null when there is none in it. */
function tableIn(text) {
  return new DOMParser().parseFromString(text, "text/html").querySelector("main#main[data-at]");
}

/** Ask the server, and show the table that it answers with; whether it took what was sent. */
async function ask(url, init = {}) {
  const answer = await fetch(url, { ...init, headers: { "X-Fragment": "main" }, credentials: "same-origin" });
  if (answer.status === 204) return true;
  const table = tableIn(await answer.text());
  if (table) swap(table);
  else if (answer.status < 429 && !init.method) location.reload(); // the table is gone: the page says so
  else throw new Error(`${answer.status}`);
  return answer.ok;
}

let sending = false;
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const button = event.submitter;
  if ("soft" in form.dataset) {
    event.preventDefault();
    await send(form, button);
    return;
  }
  if (form !== moveForm()) {
    // Opening a table may take a moment: say so, and do not open two.
    if (form.dataset.sent) event.preventDefault();
    else if (button?.dataset.wait) {
      form.dataset.sent = "1";
      button.textContent = button.dataset.wait;
    }
    return;
  }
  event.preventDefault();
  await send(form, button);
});

/** Send a form and put what comes back in the place of the table. */
async function send(form, button) {
  if (sending) return;
  const fields = new URLSearchParams(new FormData(form));
  if (button?.name) fields.append(button.name, button.value);
  sending = true;
  form.setAttribute("aria-busy", "true");
  const lines = all("input[data-keep]", form).map((field) => [field.id, field.value]);
  for (const [id] of lines) byId(id).value = byId(id).defaultValue; // a line that was said is not said again
  const bringBack = () => {
    for (const [id, value] of lines) if (byId(id)?.value === byId(id)?.defaultValue) byId(id).value = value;
  };
  try {
    if (!(await ask(button?.hasAttribute("formaction") ? button.formAction : form.action, { method: "POST", body: fields }))) bringBack();
    trouble(null);
  } catch {
    bringBack();
    trouble(byId("trouble")?.dataset.notSent);
  } finally {
    sending = false;
    form.removeAttribute("aria-busy");
    if (again) refresh(); // what was told meanwhile
  }
}

// A page that comes back from the browser's own memory may be old, and its forms may be sent again.
addEventListener("pageshow", (event) => {
  for (const form of all("form[data-sent]")) delete form.dataset.sent;
  if (event.persisted) location.reload();
});

// ----------------------------------------------------------------------------------------------------- hearing

let waiting = false;
async function refresh() {
  if (waiting || sending) {
    again = true;
    return;
  }
  waiting = true;
  try {
    do {
      again = false;
      await ask(main().dataset.main);
    } while (again);
    if (lost) trouble(null);
    lost = false;
  } catch {
    lost = true;
    trouble(byId("trouble")?.dataset.offline);
    setTimeout(refresh, 2000);
  } finally {
    waiting = false;
  }
}
let again = false;
let lost = false; // the table could not be asked for

let told = -1; // the last event of the table that the server told of

function listen(url) {
  const source = new EventSource(url);
  let cut = false;
  source.addEventListener("change", ({ data }) => {
    const number = Number(data);
    const shown = number > told && number <= Number(main().dataset.last); // told again, something besides has changed
    told = Math.max(told, number);
    if (!shown) refresh();
  });
  source.addEventListener("open", () => {
    trouble(null);
    if (cut) refresh();
    cut = false;
  });
  source.addEventListener("error", () => {
    cut = true;
    setTimeout(() => cut && trouble(byId("trouble")?.dataset.offline), 4000);
    // After an answer that is no stream the browser gives up; we do not.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(url), 5000);
  });
}

// ----------------------------------------------------------------------------------------------------- looking

/** What a card is, from the page's own list: its picture, its name, and a sentence or two. */
function wordsOf(name) {
  const entry = all(".card-words [data-card]").find((line) => line.dataset.card === name);
  if (!entry) return null;
  return {
    face: entry.dataset.face,
    label: entry.querySelector("dt").textContent,
    words: entry.querySelector("dd").textContent,
  };
}

const cardsInView = () => all("[data-card]", main()).filter((e) => !e.closest(".card-words") && e.offsetParent);
const cardAt = (event) =>
  document.elementsFromPoint(event.clientX, event.clientY).find((e) => e.matches?.("main [data-card]")) ??
  document.elementsFromPoint(event.clientX, event.clientY).map((e) => e.closest?.("main [data-card]")).find(Boolean);

let lookingAt = 0;
function enlarge(element) {
  const zoom = byId("zoom");
  lookingAt = Math.max(0, cardsInView().indexOf(element));
  showEnlarged();
  if (!zoom.open) zoom.showModal();
}

function showEnlarged() {
  const cards = cardsInView();
  const told = cards.length ? wordsOf(cards[(lookingAt + cards.length) % cards.length].dataset.card) : null;
  if (!told) return;
  lookingAt = (lookingAt + cards.length) % cards.length;
  fill(byId("zoom"), told);
}

function fill(box, told) {
  let picture = box.querySelector("img");
  if (!picture) {
    picture = new Image(250, 350);
    (box.querySelector("figure") ?? box).prepend(picture);
  }
  const [name, words] = [box.querySelector("b"), box.querySelector("b + *")];
  picture.src = told.face;
  picture.alt = told.label;
  name.textContent = told.label;
  words.textContent = told.words;
}

document.addEventListener("click", (event) => {
  const zoom = byId("zoom");
  const step = event.target.closest?.("[data-step]");
  if (step) {
    lookingAt += Number(step.dataset.step);
    showEnlarged();
  }
  const close = event.target.closest?.("[data-close]");
  if (close) close.closest("dialog").close();
  if (event.target === zoom || event.target === byId("keys")) event.target.close();
  const button = event.target.closest?.("[data-zoom]");
  if (button) enlarge(button.querySelector("[data-card]"));
});

// Press and hold.
let holding = 0;
let held = false;
document.addEventListener("pointerdown", (event) => {
  held = false;
  clearTimeout(holding);
  const card = cardAt(event);
  if (!card || event.button !== 0) return;
  holding = setTimeout(() => {
    held = true;
    enlarge(card);
  }, 450);
});
for (const end of ["pointerup", "pointercancel", "scroll"]) {
  document.addEventListener(end, () => clearTimeout(holding), true);
}
document.addEventListener("pointermove", (event) => {
  if (Math.abs(event.movementX) + Math.abs(event.movementY) > 6) clearTimeout(holding);
});
document.addEventListener(
  "click",
  (event) => {
    // The click that ends a hold must not choose the card.
    if (held && main()?.contains(event.target)) {
      event.preventDefault();
      event.stopPropagation();
    }
    held = false;
  },
  true,
);
document.addEventListener("contextmenu", (event) => {
  if (held || (event.pointerType === "touch" && cardAt(event))) event.preventDefault();
});

// Rest the pointer on it.
let resting = 0;
let under = null;
function hidePeek() {
  clearTimeout(resting);
  under = null;
  const peek = byId("peek");
  if (peek) peek.hidden = true;
}
document.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || event.buttons) return;
  const card = cardAt(event);
  if (card === under) return;
  hidePeek();
  under = card ?? null;
  if (card) resting = setTimeout(() => showPeek(card), 700);
});
document.addEventListener("pointerdown", hidePeek);
document.documentElement.addEventListener("pointerleave", hidePeek);
addEventListener("scroll", hidePeek, { passive: true, capture: true });

function showPeek(card) {
  const told = wordsOf(card.dataset.card);
  const peek = byId("peek");
  if (!told || !card.isConnected || byId("zoom").open) return;
  fill(peek, told);
  peek.hidden = false;
  const [at, size, gap] = [card.getBoundingClientRect(), peek.getBoundingClientRect(), 14];
  const right = at.right + gap + size.width <= innerWidth;
  peek.style.left = `${Math.max(8, right ? at.right + gap : at.left - gap - size.width)}px`;
  peek.style.top = `${Math.min(Math.max(8, at.top + at.height / 2 - size.height / 2), Math.max(8, innerHeight - size.height - 8))}px`;
}

// -------------------------------------------------------------------------------------------------------- keys

/** The groups of cards and seats one walks through with the arrows. */
const groupOf = (input) => input.closest(".hand, .row, .seats, .spread, .columns, .given, .words");

function walk(input, step) {
  const group = all("input:enabled, button.pick:enabled", groupOf(input));
  const next = group[group.indexOf(input) + step];
  next?.focus();
  next?.closest("li")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function play(event) {
  const ready = all("button[name=move]:enabled", moveForm());
  // With cards to lay, nobody passes by a slip of the hand.
  const button = ready.find((b) => "needs" in b.dataset) ?? (tray() ? null : ready[0]);
  event.preventDefault();
  if (button) moveForm().requestSubmit(button);
}

const sideways = { ArrowRight: 0, ArrowLeft: -1 }; // to the first card, or the last

document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const typing = target.matches?.("input:not([type=radio], [type=checkbox]), textarea, select");
  const zoom = byId("zoom");
  if (zoom?.open && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    lookingAt += event.key === "ArrowRight" ? 1 : -1;
    showEnlarged();
  } else if (typing) {
    if (event.key === "Enter" && target.form && target.form === moveForm()) play(event);
  } else if ((event.key === "z" || event.key === "Z") && zoom && cardsInView().length) {
    if (zoom.open) zoom.close();
    else enlarge(target.closest?.("label, button, li")?.querySelector("[data-card]") ?? cardsInView()[0]);
  } else if ((event.key === "x" || event.key === "X") && main().querySelector("[data-skip]")) {
    main().querySelector("[data-skip]").click();
  } else if (event.key === "?" && byId("keys")) {
    if (!byId("keys").open) byId("keys").showModal();
  } else if (event.key === "Backspace" && tray() && laid.length) {
    event.preventDefault();
    lay(moveForm().querySelector("button[name=tray][value=back]"));
  } else if (event.key in sideways && target.matches?.("body, .hand, .status") && moveForm()) {
    const cards = playable(main());
    if (cards.length) event.preventDefault();
    cards.at(sideways[event.key])?.focus();
  } else if (target.matches?.("input, button.pick") && target.form === moveForm()) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Enter") play(event);
    else if (event.key in steps && groupOf(target)) {
      event.preventDefault();
      walk(target, steps[event.key]);
    } else if (event.key === " " && target.type === "radio" && target.checked) {
      event.preventDefault();
      target.checked = false;
      sayWhatHappens(false);
    }
  }
});

// ------------------------------------------------------------------------------------------------------- begin

for (const button of all("[data-keys]")) {
  button.hidden = false;
  button.addEventListener("click", () => byId("keys").showModal());
}
if (main()?.dataset.events) {
  lastMarkup = main().outerHTML;
  readTray();
  sayWhatHappens(false);
  bringTurn();
  listen(main().dataset.events);
}
showNow();
