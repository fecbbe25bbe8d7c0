// The client of `tol lsp`: starts the language server for ToLang texts and hands everything on.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const [command, ...args] = vscode.workspace.getConfiguration("tolang").get("command");
  client = new LanguageClient(
    "tolang",
    "ToLang",
    { command, args },
    { documentSelector: [{ language: "tolang" }] },
  );
  return client.start().catch(() => {
    vscode.window.showErrorMessage(
      `ToLang: \`${[command, ...args].join(" ")}\` does not start. ` +
        "Install it with pip install 'tolang[lsp]', or set tolang.command.",
    );
  });
}

async function stop() {
  const running = client;
  client = undefined;
  if (running && running.isRunning()) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("tolang.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("tolang.command")) {
        restart();
      }
    }),
  );
  return start();
}

module.exports = { activate, deactivate: stop };
