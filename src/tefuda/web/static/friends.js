// What pages of friends' tables do beyond being pages. Without this script everything can still be read and done.
//   copying    a link, or a report, with one press; or handing a link on, where the device can
//   key        the key behind the # of a link is typed into its field and sent
//   clocks     count down
//   notices    a sound, or a notice of the browser, when one's turn comes; only when asked for
//   waking     a page that slept asks for the table at once
//   watching   a page that others change looks now and then whether they have
//   own tables where one holds a seat is remembered here, to go on there
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const field = byId(button.dataset.copy);
  field.select?.();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // where the page is not secure, it may not write to the clipboard
  }
  button.textContent = button.dataset.copied;
});

document.addEventListener("click", (event) => {
  const field = byId(event.target.closest?.("[data-share]")?.dataset.share);
  if (field) navigator.share({ title: document.title, url: field.value }).catch(() => {}); // they thought better of it
});

function showTools() {
  for (const button of all("[data-copy]")) button.hidden = false;
  for (const button of all("[data-share]")) button.hidden = !navigator.share;
  for (const box of all("[data-switches]")) box.hidden = false;
  for (const box of all("[data-switch]")) box.checked = wanted(box.dataset.switch);
}

// ------------------------------------------------------------------------------------------------------------ key

const keyForm = document.querySelector("form[data-key]");
if (keyForm && location.hash.length > 1) {
  keyForm.querySelector("input[name=token]").value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname); // it stays in no address that is shown
  keyForm.requestSubmit();
}

// --------------------------------------------------------------------------------------------------------- clocks

let behind = 0; // by how many milliseconds the clock here is behind the server's

function setClocks() {
  const time = main()?.querySelector(".time[data-deadline]");
  if (time) behind = Number(time.dataset.now) - Date.now();
}

function countDown() {
  const time = main()?.querySelector(".time[data-deadline]");
  if (!time) return;
  const left = Math.max(0, Math.round((Number(time.dataset.deadline) - Date.now() - behind) / 1000));
  if (left >= 86400) return;
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const two = (n) => String(n).padStart(2, "0");
  time.querySelector("b").textContent = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
  time.classList.toggle("hurry", left <= 10);
}
setInterval(countDown, 500);

// -------------------------------------------------------------------------------------------------------- notices

function wanted(name) {
  try {
    return localStorage.getItem(`tefuda-${name}`) === "on";
  } catch {
    return false;
  }
}

document.addEventListener("change", async (event) => {
  const name = event.target.dataset?.switch;
  if (!name) return;
  if (name === "notice" && event.target.checked && (await globalThis.Notification?.requestPermission()) !== "granted") {
    event.target.checked = false;
  }
  try {
    localStorage.setItem(`tefuda-${name}`, event.target.checked ? "on" : "off");
  } catch {
    /* a private window */
  }
  if (name === "sound" && event.target.checked) ring();
});

/** Two soft notes, as on a small wooden board. */
function ring() {
  const sound = new AudioContext();
  for (const [pitch, at] of [[880, 0], [1175, 0.14]]) {
    const [note, loud] = [sound.createOscillator(), sound.createGain()];
    note.type = "triangle";
    note.frequency.value = pitch;
    loud.gain.setValueAtTime(0.12, sound.currentTime + at);
    loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + at + 0.3);
    note.connect(loud).connect(sound.destination);
    note.start(sound.currentTime + at);
    note.stop(sound.currentTime + at + 0.32);
  }
  setTimeout(() => sound.close(), 1000);
}

document.addEventListener("my-turn", () => {
  if (wanted("sound")) ring();
  if (wanted("notice") && document.hidden && globalThis.Notification?.permission === "granted") {
    try {
      new Notification(main().dataset.title, { icon: "/static/icon-192.png", tag: location.pathname });
    } catch {
      /* a device that wants it done otherwise */
    }
  }
});

// --------------------------------------------------------------------------------------------------------- waking

const look = () => main()?.dataset.events && !document.hidden && refresh();
document.addEventListener("visibilitychange", look);
addEventListener("online", look);
if (main()?.dataset.events && main().dataset.every) setInterval(look, Number(main().dataset.every));

document.addEventListener("swapped", () => {
  showTools();
  setClocks();
  countDown();
  sayNews();
});

/** Scroll to the latest line that was said, unless somebody has gone back to earlier ones. */
function sayNews() {
  const box = main()?.querySelector(".talk .said");
  if (box) box.scrollTop = earlier ?? box.scrollHeight;
}
let earlier = null; // where among the earlier lines somebody reads
document.addEventListener(
  "scroll",
  ({ target }) => {
    if (!target.matches?.(".talk .said")) return;
    earlier = target.scrollTop + target.clientHeight < target.scrollHeight - 8 ? target.scrollTop : null;
  },
  true,
);

showTools();
setClocks();
sayNews();

// ------------------------------------------------------------------------------------------------- after a game

// Step by step with the arrow keys.
document.addEventListener("keydown", (event) => {
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  const link = document.querySelector(`a[data-step-key="${keys[event.key]}"]`);
  const scrolls = event.key === "Home" || event.key === "End" ? ", .log" : ""; // the list of steps itself
  if (!link || event.target.closest?.(`input, textarea, select, dialog${scrolls}`)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  link.click();
});

// A step takes the place of the one before: what one looks at stays where it is on the screen.
const stepLinks = ".replay .steps a, .replay .told a";
let latestStep = 0;
let awaited = null; // the step that was asked for and is not here yet: two quick clicks are two steps

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.(stepLinks);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const url = new URL(link.href);
  const by = { previous: -1, next: 1 }[link.dataset.stepKey];
  if (by && awaited !== null) {
    const last = Number(main().querySelector(".steps").dataset.last);
    url.searchParams.set("n", Math.min(Math.max(awaited + by, 0), last));
  }
  awaited = Number(url.searchParams.get("n"));
  const asked = ++latestStep;
  const answer = await fetch(url, { credentials: "same-origin" }).catch(() => null);
  if (asked !== latestStep) return; // another step was asked for meanwhile
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  awaited = null;
  if (page?.querySelector(".replay")) showStep(page, url, link.dataset.stepKey);
  else location.assign(url);
});

function showStep(page, url, key) {
  const [now, then] = [main(), page.getElementById("main")];
  const within = document.activeElement?.closest(".steps, .told");
  now.querySelector(".steps .at").replaceChildren(...then.querySelector(".steps .at").childNodes); // a voice tells it
  const buttons = all(".steps .btn", then);
  for (const [i, old] of all(".steps .btn", now).entries()) old.replaceWith(buttons[i]);
  for (const part of [".replayed", ".told", ".card-words"]) now.querySelector(part).replaceWith(then.querySelector(part));
  document.querySelector(".lang").replaceWith(page.querySelector(".lang"));
  history.replaceState(null, "", url);
  showNow();
  if (within?.matches(".steps")) (now.querySelector(`a[data-step-key="${key}"]`) ?? now.querySelector(".steps a"))?.focus({ preventScroll: true });
  else if (within) now.querySelector(".told [aria-current]")?.focus({ preventScroll: true });
}

// ------------------------------------------------------------------------------------------------ watching a page

let watched = main()?.outerHTML; // as the server sent it: scripts change what they find
let nextLook = 0;

/** Look now and then whether there is something new on this page, while anybody looks at it. */
async function watch() {
  clearTimeout(nextLook);
  const { watch: url, every } = main()?.dataset ?? {};
  if (!url) return;
  if (!document.hidden) {
    const answer = await fetch(url, { headers: { "X-Fragment": "main" }, credentials: "same-origin" }).catch(() => null);
    const next = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    if (next && next.outerHTML !== watched) renew(next);
  }
  clearTimeout(nextLook);
  nextLook = setTimeout(watch, Number(every));
}

/** Put a new page in the place of the old: what is typed stays, and the focus stays where it was on the screen. */
function renew(next) {
  const [old, focused] = [main(), document.activeElement];
  const link = focused.localName === "a" && old.contains(focused) ? `a[href="${CSS.escape(focused.getAttribute("href"))}"]` : null;
  const name = nameOf(focused) ?? link;
  const nth = name ? all(name, old).indexOf(focused) : -1;
  const at = focused.getBoundingClientRect().top;
  const entered = enteredIn(old);
  const open = all("details", old).map((box) => box.open);
  const news = next.querySelector("[data-news]")?.textContent;
  if (news && news !== old.querySelector("[data-news]")?.textContent) announce(news);
  watched = next.outerHTML;
  old.replaceWith(next);
  all("details", next).forEach((box, i) => (box.open = open[i] ?? box.open));
  enterAgain(next, entered);
  document.dispatchEvent(new Event("swapped"));
  const target = name && (all(name, next)[nth] ?? all(name, next)[0]);
  if (!target) return;
  target.focus({ preventScroll: true });
  scrollBy(0, target.getBoundingClientRect().top - at);
}

if (main()?.dataset.watch) nextLook = setTimeout(watch, Number(main().dataset.every));
document.addEventListener("visibilitychange", () => document.hidden || watch());

// ------------------------------------------------------------------------------------------------ the own tables

// The tables at which somebody has sat down in this browser, the latest first, as [name, title]: only the browser
// knows them, for a seat's cookie goes to its own table alone.
const MOST_OWN = 8;

function ownTables() {
  try {
    return JSON.parse(localStorage.getItem("tefuda-tables")) ?? [];
  } catch {
    return [];
  }
}

function keepOwn(tables) {
  try {
    localStorage.setItem("tefuda-tables", JSON.stringify(tables.slice(0, MOST_OWN)));
  } catch {
    /* a private window */
  }
}

/** Remember the table on a page while one holds a seat there; forget it when its game is over. */
function noteTable({ table, game, seated }, first = true) {
  if (!table) return;
  const known = ownTables().some(([name]) => name === table);
  if (seated === undefined) keepOwn(ownTables().filter(([name]) => name !== table));
  else if (first || !known) keepOwn([[table, game], ...ownTables().filter(([name]) => name !== table)]);
}

const states = new Map(); // of the own tables, as far as they were asked

/** Show the own tables where a page has room for them; where it lists one among others, it says so there, too. */
function showOwn() {
  const box = document.querySelector("[data-own-tables]");
  if (!box) return;
  const template = box.querySelector("template").content.firstElementChild;
  const lines = ownTables().map(([name, title]) => {
    const line = template.cloneNode(true);
    write(line.querySelector(".name"), states.get(name)?.game ?? title);
    write(line.querySelector(".meta"), states.get(name)?.state ?? name);
    Object.assign(line.querySelector("a"), { href: `/t/${name}`, ariaLabel: `${template.querySelector("a").textContent}: ${title} ${name}` });
    for (const link of all(`.open-tables a[href="/t/${CSS.escape(name)}"]`, main())) {
      if (box.contains(link)) continue;
      link.textContent = template.querySelector("a").textContent;
      link.ariaLabel = line.querySelector("a").ariaLabel;
    }
    return line;
  });
  box.querySelector("ul").replaceChildren(...lines);
  box.hidden = !lines.length;
}

/** Ask the own tables how they stand; one that is gone or over is forgotten. */
async function askOwn() {
  for (const [name] of ownTables()) {
    const answer = await fetch(`/t/${name}/main`, { headers: { "X-Fragment": "main" }, credentials: "same-origin" }).catch(() => null);
    if (!answer || answer.status === 429 || answer.status >= 500) continue; // another time
    const table = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    if (table) states.set(name, table.dataset);
    noteTable(table ? table.dataset : { table: name }, false);
    showOwn();
  }
}

noteTable(main()?.dataset ?? {});
document.addEventListener("swapped", () => {
  noteTable(main().dataset);
  showOwn();
});
showOwn();
if (document.querySelector("[data-own-tables]")) askOwn();
