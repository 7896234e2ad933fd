// Starts `guidepost lsp` and connects it with the editor. Everything else is the server's business.
const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;

function settings() {
  return vscode.workspace.getConfiguration('guidepost');
}

async function start() {
  const command = settings().get('path', 'guidepost');
  const server = { command, args: ['lsp'], transport: TransportKind.stdio };
  const languages = ['guidepost-xta', 'guidepost-q', 'guidepost-plc', 'xml'];
  client = new LanguageClient('guidepost', 'guidepost', server, {
    documentSelector: languages.flatMap((language) => [
      { scheme: 'file', language },
      { scheme: 'untitled', language },
    ]),
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{xml,xta,ta,tck,q}') },
    initializationOptions: { timeLimit: settings().get('timeLimit', 30) },
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `guidepost: \`${command} lsp\` cannot be started (${error.message}). Install the command, or set "guidepost.path".`,
    );
  }
}

async function stop() {
  const old = client;
  client = undefined;
  await old?.stop().catch(() => undefined);
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('guidepost.restart', async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('guidepost')) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
