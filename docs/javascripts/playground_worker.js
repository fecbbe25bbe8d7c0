/* Python for the playground, in a thread of its own; everything comes from beside this file. */

const here = new URL("./", self.location.href).href;
let answer = null;

const load = async () => {
  const { loadPyodide } = await import(`${here}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: here, packageBaseUrl: here, lockFileURL: `${here}pyodide-lock.json` });
  await python.loadPackage("numpy");
  const archive = await (await fetch(`${here}tolang.zip`)).arrayBuffer();
  python.unpackArchive(archive, "zip", { extractDir: "/home/pyodide" });
  answer = python.runPython("from tolang.faces.playground import answer\nanswer");
};

self.onmessage = ({ data }) => {
  const start = performance.now();
  const text = answer(data.text, data.inputs);
  self.postMessage({ kind: "answer", text, seconds: (performance.now() - start) / 1000 });
};

load().then(
  () => self.postMessage({ kind: "ready" }),
  () => self.postMessage({ kind: "failed", text: "Python for browsers is not part of this copy of the site." }),
);
