"use strict";
// Each figure can be enlarged: with the buttons, a double click, or Ctrl and the wheel. Drag it to
// move it. The picture keeps its shape, so the page does not move.
for (const svg of document.querySelectorAll("figure svg")) {
  const box = svg.viewBox.baseVal;
  const whole = [box.x, box.y, box.width, box.height];
  let view = whole.slice();
  const at = (e) => {
    const r = svg.getBoundingClientRect();
    return [view[0] + (e.clientX - r.left) / r.width * view[2], view[1] + (e.clientY - r.top) / r.height * view[3]];
  };
  const show = (x, y) => {
    view[0] = Math.min(Math.max(x, whole[0]), whole[0] + whole[2] - view[2]);
    view[1] = Math.min(Math.max(y, whole[1]), whole[1] + whole[3] - view[3]);
    svg.setAttribute("viewBox", view.join(" "));
    svg.style.cursor = view[2] < whole[2] ? "grab" : "";
  };
  const zoom = (factor, [x, y]) => {
    const size = Math.min(1, Math.max(1 / 64, view[2] / whole[2] / factor));
    const change = size * whole[2] / view[2];
    const left = x - (x - view[0]) * change, top = y - (y - view[1]) * change;
    view[2] = size * whole[2];
    view[3] = size * whole[3];
    show(left, top);
  };
  const middle = () => [view[0] + view[2] / 2, view[1] + view[3] / 2];
  const buttons = document.createElement("div");
  buttons.className = "zoom";
  for (const [sign, label, factor] of [["+", "Enlarge", 2], ["−", "Reduce", 0.5], ["1:1", "Show all", 1 / 64]]) {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = sign;
    b.title = label;
    b.setAttribute("aria-label", label);
    b.addEventListener("click", () => zoom(factor, middle()));
    buttons.append(b);
  }
  svg.after(buttons);
  svg.addEventListener("dblclick", (e) => zoom(e.shiftKey ? 0.5 : 2, at(e)));
  svg.addEventListener("wheel", (e) => {
    if (e.ctrlKey || e.metaKey) {
      e.preventDefault();
      zoom(e.deltaY < 0 ? 1.25 : 0.8, at(e));
    }
  }, { passive: false });
  let held = null;
  svg.addEventListener("pointerdown", (e) => {
    if (view[2] < whole[2]) {
      held = at(e);
      svg.setPointerCapture(e.pointerId);
    }
  });
  svg.addEventListener("pointermove", (e) => {
    if (held) {
      const [x, y] = at(e);
      show(view[0] + held[0] - x, view[1] + held[1] - y);
    }
  });
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { held = null; });
}
