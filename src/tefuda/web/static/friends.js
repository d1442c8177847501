// What pages of friends' tables do beyond being pages. Without this script everything can still be read and done.
//   copying    a link, or a report, with one press; or handing a link on, where the device can
//   key        the key behind the # of a link is typed into its field and sent
//   clocks     count down
//   notices    a sound, or a notice of the browser, when one's turn comes; only when asked for
//   waking     a page that slept asks for the table at once
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
if (main()?.dataset.every) setInterval(look, 1000 * Number(main().dataset.every));

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

const waits = document.querySelector("[data-waits]");
async function lookForChances() {
  const answer = await fetch(waits.dataset.waits, { credentials: "same-origin" }).catch(() => null);
  if (answer?.status === 200) {
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").body;
    waits.replaceWith(...found.children);
  } else setTimeout(lookForChances, 4000);
}
if (waits) setTimeout(lookForChances, 2000);

// Step by step with the arrow keys.
document.addEventListener("keydown", (event) => {
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  const link = document.querySelector(`a[data-step-key="${keys[event.key]}"]`);
  if (link && !event.target.closest?.("input, textarea, select, .log") && !event.ctrlKey && !event.metaKey && !event.altKey) link.click();
});

// ------------------------------------------------------------------------------------------------------- the lab

async function watchStudy() {
  const url = main()?.dataset.lab;
  if (!url) return;
  const answer = await fetch(url, { headers: { "X-Fragment": "main" }, credentials: "same-origin" }).catch(() => null);
  const next = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  if (next) main().replaceWith(next);
  setTimeout(watchStudy, 1000);
}
if (main()?.dataset.lab) setTimeout(watchStudy, 700);
