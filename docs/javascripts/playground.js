/* The playground: hands texts to a worker that has Python, and shows what comes back. */

const playground = document.getElementById("playground");

if (playground) {
  const part = (name) => document.getElementById(`playground-${name}`);
  const base = new URL("playground/", document.querySelector('script[src*="javascripts/playground.js"]').src.replace(/javascripts\/.*/, ""));
  let worker = null;

  const state = (text, ready) => {
    part("state").textContent = text;
    part("run").disabled = !ready;
    part("stop").disabled = ready || worker === null;
  };

  const start = (then) => {
    state("Python is being loaded …", false);
    try {
      worker = new Worker(new URL("worker.js", base), { type: "module" });
    } catch (error) {
      state("Programs run here only where a server gives this page.", false);
      return;
    }
    worker.onerror = () => state("Programs do not run here: Python for browsers is not part of this copy of the site.", false);
    worker.onmessage = ({ data }) => {
      if (data.kind === "ready") {
        state("Ready.", true);
        then?.();
      } else if (data.kind === "failed") {
        state(`Programs do not run here: ${data.text}`, false);
      } else {
        show(JSON.parse(data.text), data.seconds);
      }
    };
  };

  const run = () => {
    state("Running …", false);
    worker.postMessage({ text: part("text").value, inputs: part("inputs").value });
  };

  const element = (tag, text, kind) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const show = (found, seconds) => {
    part("errors").hidden = !found.errors;
    part("errors").textContent = found.errors;
    part("results").replaceChildren(
      ...found.results.flatMap((one) => [element("h3", `${one.name}: ${one.type}`), element("pre", one.value)]),
    );
    const cost = found.cost.formula ? [element("h3", "Cost"), element("pre", found.cost.formula)] : [];
    if (found.cost.here) cost.push(element("p", `${found.cost.here} EOPs at the sizes given`));
    part("cost").replaceChildren(...cost);
    const picture = document.createElement("img");
    picture.alt = "The program, drawn";
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(found.drawing)}`;
    part("drawing").replaceChildren(...(found.drawing ? [element("h3", "Drawing"), picture] : []));
    state(`Done in ${seconds.toFixed(2)} s.`, true);
  };

  const choose = (one) => {
    part("text").value = one.text;
    part("inputs").value = one.inputs;
  };

  part("run").addEventListener("click", run);
  part("stop").addEventListener("click", () => {
    worker.terminate();
    start();
  });
  part("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !part("run").disabled) run();
  });
  fetch(new URL("examples.json", base))
    .then((answer) => answer.json())
    .then((examples) => {
      part("examples").replaceChildren(...examples.map((one) => element("option", one.name)));
      part("examples").addEventListener("change", (event) => choose(examples[event.target.selectedIndex]));
      choose(examples[0]);
      start(run);
    })
    .catch(() => state("Programs run here only where a server gives this page.", false));
}
