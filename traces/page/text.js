"use strict";
// Elements, and differences between texts. Texts become text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

// svg makes an element of a drawing.
function svg(name, attributes, ...inside) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

// html makes an element of the page.
function html(name, className, ...inside) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...inside);
  return element;
}

// shorten cuts the middle out of a text: it begins with what it is about and often ends with what tells it from others.
function shorten(text, most) {
  const letters = [...text], head = Math.floor(most / 2);
  return letters.length <= most ? text : letters.slice(0, head).join("") + "…" + letters.slice(letters.length - (most - 1 - head)).join("");
}

// tooMany bounds the table that finds a longest common subsequence.
const tooMany = 400 * 400;

// difference returns a text as nodes in which inserted and deleted words are marked.
function difference(was, is) {
  const old = was.split(" "), words = is.split(" ");
  let head = 0, tail = 0;
  while (head < old.length && head < words.length && old[head] === words[head]) head++;
  while (tail < old.length - head && tail < words.length - head && old[old.length - 1 - tail] === words[words.length - 1 - tail]) tail++;
  const runs = [["", words.slice(0, head)], ...edits(old.slice(head, old.length - tail), words.slice(head, words.length - tail)),
    ["", words.slice(words.length - tail)]];
  const nodes = [];
  for (const [kind, run] of runs) {
    if (run.length === 0) continue;
    if (nodes.length) nodes.push(" ");
    nodes.push(kind ? html(kind, "", run.join(" ")) : run.join(" "));
  }
  return nodes;
}

// edits lists runs of words that are unchanged (""), deleted ("del") and inserted ("ins").
function edits(a, b) {
  if (a.length * b.length > tooMany) return [["del", a], ["ins", b]];
  const common = Array.from({ length: a.length + 1 }, () => new Int32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const runs = [];
  const add = (kind, word) => {
    if (runs.length && runs[runs.length - 1][0] === kind) runs[runs.length - 1][1].push(word);
    else runs.push([kind, [word]]);
  };
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { add("", a[i++]); j++; }
    else if (i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1])) add("del", a[i++]);
    else add("ins", b[j++]);
  }
  return runs;
}
