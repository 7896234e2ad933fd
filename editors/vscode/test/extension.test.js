// The manifest refers to files that exist, grammars colour what they should, and messages of the command are recognised.
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const root = path.join(__dirname, '..');
const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('everything that the manifest names is there', () => {
  const { languages, grammars } = manifest.contributes;
  for (const language of languages) JSON.parse(read(language.configuration));
  for (const grammar of grammars) {
    assert.strictEqual(JSON.parse(read(grammar.path)).scopeName, grammar.scopeName);
    assert.ok(languages.some((language) => language.id === grammar.language));
  }
  assert.match(read('extension.js'), /'guidepost-xta', 'guidepost-q', 'guidepost-plc', 'xml'/);
});

test('messages of the command are recognised', () => {
  const [first, second] = manifest.contributes.problemMatchers[0].pattern;
  const message = new RegExp(first.regexp).exec('error[E020]: `lenght` is not declared');
  assert.deepStrictEqual([message[first.severity], message[first.code], message[first.message]], ['error', 'E020', '`lenght` is not declared']);
  const place = new RegExp(second.regexp).exec(' --> models/train.xml:2:13');
  assert.deepStrictEqual([place[second.file], place[second.line], place[second.column]], ['models/train.xml', '2', '13']);
});

function installed(name) {
  try {
    return require(name);
  } catch {
    return undefined;
  }
}

const textmate = installed('vscode-textmate');
const oniguruma = installed('vscode-oniguruma');

async function registry() {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer;
  await oniguruma.loadWASM(wasm);
  const { grammars } = manifest.contributes;
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const grammar = grammars.find((grammar) => grammar.scopeName === scope);
      return grammar && textmate.parseRawGrammar(read(grammar.path), grammar.path);
    },
  });
}

test('grammars colour words', { skip: !textmate || !oniguruma ? 'npm ci was not run' : false }, async () => {
  const known = await registry();
  const scopes = async (scope, line) => {
    const grammar = await known.loadGrammar(scope);
    const { tokens } = grammar.tokenizeLine(line, textmate.INITIAL);
    return Object.fromEntries(tokens.map((token) => [line.slice(token.startIndex, token.endIndex).trim(), token.scopes.at(-1)]));
  };
  const edge = await scopes('source.xta', 'process P() { state A { x <= 5 }; urgent chan c; // time');
  assert.strictEqual(edge.process, 'keyword.declaration.xta');
  assert.strictEqual(edge.P, 'entity.name.class.xta');
  assert.strictEqual(edge.state, 'keyword.control.section.xta');
  assert.strictEqual(edge.urgent, 'storage.modifier.xta');
  assert.strictEqual(edge['5'], 'constant.numeric.xta');
  assert.strictEqual(edge['// time'], 'comment.line.double-slash.xta');
  const query = await scopes('source.uppaal-query', 'A[] not deadlock imply P.x <= 3');
  assert.strictEqual(query['A[]'], 'keyword.control.quantifier.uppaal-query');
  assert.strictEqual(query.deadlock, 'constant.language.xta');
  const controller = await scopes('source.plc-automata', 'program Lamp { input pressed : bool; when pressed goto On; }');
  assert.strictEqual(controller.Lamp, 'entity.name.type.plc-automata');
  assert.strictEqual(controller.when, 'keyword.control.plc-automata');
});
