// What else was possible where a step was taken.
class Instead {
  constructor(page) {
    this.page = page;
    this.place = document.getElementById("instead");
    this.place.addEventListener("toggle", () => this.fill());
  }

  reset() {}

  show() {
    const { run, step } = this.page;
    const list = step > 0 ? run.raw.others?.[step - 1] : null;
    this.place.hidden = !list;
    if (!list) return;
    this.place.firstElementChild.textContent = list.length ? `possible instead of step ${step}: ${list.length}` : `nothing was possible instead of step ${step}`;
    this.fill();
  }

  fill() {
    const { run, step } = this.page;
    const rows = this.place.lastElementChild;
    if (!this.place.open || this.place.hidden) return rows.replaceChildren();
    const before = run.state(step - 1).locations.slice();
    rows.replaceChildren(...run.raw.others[step - 1].map(([channel, moves, when]) => {
      const name = channel >= 0 ? data.channels[channel] : "";
      const lines = moves.map(([process, edge, branch, to, role, select]) => {
        const sync = name && `${synced(name, role)} `;
        const text = `${processName(process)}: ${moveText({ process, edge, to, select, from: before[process] })}`;
        return element("div", { title: sync + text }, ...(sync ? [element("span", { class: "sync" }, sync)] : []), text);
      });
      return element("li", {}, ...lines, element("div", { class: "when" }, when));
    }));
  }
}
