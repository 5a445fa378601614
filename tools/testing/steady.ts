// Finds what makes a test fail because the machine was slow, or pass by chance. It reads the tests' text and runs nothing.
// What judges by the clock belongs to `npm run prove` (tools/prove/test-files.ts), and is not looked at here.
import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import ts from 'typescript';
import { LONG, MEASURED } from '../prove/test-files.ts';
import { HOOK_LIMIT_MS, TEST_LIMIT_MS } from './limits.ts';

export type Rule = 'wait' | 'bar' | 'limit' | 'endless' | 'seed' | 'transaction-id';
export type Finding = { readonly line: number; readonly rule: Rule };

/** The helper that waits for all others, and this check with its examples. */
const NOT_LOOKED_AT = [...MEASURED, ...LONG, 'tools/testing/{eventually,steady,steady.test}.ts'];

/** Test files and what they are made of, as paths from the root. */
export function listTestFiles(root: string): string[] {
  const found = globSync(['**/*.test.ts', 'server/test/**/*.ts', '**/testing/**/*.ts'], {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|\.git)$/.test(path),
  });
  return [...new Set(found)].filter((path) => !NOT_LOOKED_AT.some((pattern) => matchesGlob(path, pattern))).toSorted();
}

const WAITS = /^(vi\.waitFor|vi\.waitUntil|expect\.poll|scheduler\.wait)$|\.waitForTimeout$/;
const CLOCKS = /^(Date\.now|performance\.now|process\.hrtime(\.bigint)?)$/;
const COMPARISONS = /\.(toBe(Less|Greater)Than(OrEqual)?|toBeCloseTo)$/;
const FAKE_TIME = /useFakeTimers|setSystemTime|stopClock\(/;
const ID = String.raw`(\w*xact_?id|\bxid8?|\w*xmin|\w*xmax|txid_\w+)`;
/** A new cluster has had about 700 transactions. */
const HIGH = String.raw`([7-9]\d\d|\d{4,})`;
/**
 * A sum with a transaction id, in code and in the text of a query. Or a number made into one, which may lie in the future: seen are
 * a number of 700 or more that is written in the cast, and a sum with a parameter.
 */
const ID_ARITHMETIC = new RegExp(
  [
    String.raw`${ID}\b[\w\s():.?\]}]*(\?\?\s\w+\)*)?\s*[-+*%]\s*[\w($]`,
    String.raw`[\w)}](?<!\bselect|\bdistinct)\s*[-+*%]\s*[\w(\s:.]*${ID}\b`,
    String.raw`\b${HIGH}'?[\w\s():+*/%-]*::xid8|\bxid8\s'${HIGH}|[-+*/%]\s*\$[\w{}]+\)*(::\w+)*::xid8`,
    String.raw`\bmod\([^,]*${ID}\b`,
  ].join('|'),
  'i',
);

const NUMBER_OF_ID = new RegExp(String.raw`^(BigInt|Number|parseInt)\([^)]*${ID}\b`, 'i');

/** What is refused in the text of one file; not below a line `// steady: <reason>`. */
export function findUnsteady(text: string): Finding[] {
  const file = ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true);
  const nodes = everyNodeOf(file);
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart()).line;
  const lines = text.split('\n');
  const names = declarationsOf(nodes);
  const sleeps = new Set(
    nodes
      .filter(ts.isImportSpecifier)
      .filter(isSleep)
      .map(({ name }) => name.text),
  );
  const isTimeFakedByHook = nodes.some((node) => /^before(Each|All)$/.test(calleeOf(node)) && isFake(node));
  const ruleOf = (node: ts.Node): Rule | undefined => {
    if (isWait(node, sleeps) && !isTimeFakedByHook && !isFake(testOf(node))) return 'wait';
    if (isBar(node, names) && !isTimeFakedByHook && !isFake(testOf(node))) return 'bar';
    if (isShortLimit(node, names)) return 'limit';
    if (isEndless(node)) return 'endless';
    if (isChance(node)) return 'seed';
    return isIdArithmetic(node, names) ? 'transaction-id' : undefined;
  };
  const found = nodes.flatMap((node) => {
    const rule = ruleOf(node);
    return rule ? [{ line: lineOf(node) + 1, rule }] : [];
  });
  const isExcused = ({ line }: Finding) => /^\s*\/\/ steady: \S/.test(lines[line - 2] ?? '');
  return found.filter((each) => !isExcused(each));
}

function everyNodeOf(node: ts.Node, found: ts.Node[] = []): ts.Node[] {
  found.push(node);
  node.forEachChild((child) => void everyNodeOf(child, found));
  return found;
}

const calleeOf = (node: ts.Node) => (ts.isCallExpression(node) ? node.expression.getText() : '');
const isFake = (node: ts.Node) => FAKE_TIME.test(node.getText());

/** The test that a line is in; of a line outside all tests, its statement at the top of the file. */
function testOf(node: ts.Node): ts.Node {
  const isWhole = /^(test|it)\b/.test(calleeOf(node)) || ts.isSourceFile(node.parent);
  return isWhole ? node : testOf(node.parent);
}

const isSleep = (imported: ts.ImportSpecifier) =>
  (imported.propertyName ?? imported.name).text === 'setTimeout' &&
  /timers\/promises/.test(imported.parent.parent.parent.getText());

/** Not a server's answer that comes late: for that nothing waits here. */
function isWait(node: ts.Node, sleeps: ReadonlySet<string>): boolean {
  if (WAITS.test(calleeOf(node)) || sleeps.has(calleeOf(node)) || isSleepingQuery(node)) return true;
  return (
    ts.isNewExpression(node) && node.expression.getText() === 'Promise' && /(?<![.\w])setTimeout\(/.test(node.getText())
  );
}

const isSleepingQuery = (node: ts.Node) =>
  (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && /\bpg_sleep\(/.test(node.getText());

type Names = ReadonlyMap<string, readonly ts.Node[]>;

/** What each name of the file was made from. */
function declarationsOf(nodes: readonly ts.Node[]): Names {
  const names = new Map<string, ts.Node[]>();
  const add = (name: ts.Node, made: ts.Node | undefined) => {
    for (const each of everyNodeOf(name).filter(ts.isIdentifier)) {
      if (made) names.set(each.text, [...(names.get(each.text) ?? []), made]);
    }
  };
  for (const node of nodes) {
    if (ts.isVariableDeclaration(node)) add(node.name, node.initializer);
    if (ts.isFunctionDeclaration(node) && node.name) add(node.name, node.body);
    if (ts.isBinaryExpression(node) && ts.isIdentifier(node.left) && /^[-+]?=$/.test(node.operatorToken.getText())) {
      add(node.left, node.right);
    }
    if (/^\w+\.push$/.test(calleeOf(node))) add((node as ts.CallExpression).expression, node.parent);
  }
  return names;
}

const DIFFERENCES = [ts.SyntaxKind.MinusToken, ts.SyntaxKind.PlusToken];

/** A clock's reading, plus or minus something, compared. Two readings in their order are no bar. */
function isBar(node: ts.Node, names: Names): boolean {
  const isExpected = COMPARISONS.test(calleeOf(node)) && calleeOf(node).startsWith('expect');
  if (!isExpected && !(ts.isBinaryExpression(node) && /^[<>]=?$/.test(node.operatorToken.getText()))) return false;
  const isDifference = (part: ts.Node): boolean =>
    ts.isBinaryExpression(part) && DIFFERENCES.includes(part.operatorToken.kind) && isMadeFrom(part, isClock);
  const isMadeFrom = (part: ts.Node, isIt: (part: ts.Node) => boolean, seen = new Set<ts.Node>()): boolean => {
    if (seen.has(part)) return false;
    seen.add(part);
    if (isIt(part)) return true;
    if (ts.isIdentifier(part)) {
      const here = (names.get(part.text) ?? []).filter((made) => isVisible(made, node));
      return here.some((made) => isMadeFrom(made, isIt, seen));
    }
    if (ts.isPropertyAccessExpression(part))
      return part.name.text !== 'length' && isMadeFrom(part.expression, isIt, seen);
    // What a function does with a time is its own; only what computes is looked through.
    const isOpaque =
      ts.isCallExpression(part) && !/^(expect|Math|Array|Number|Promise)\b|\.(map|push)$/.test(calleeOf(part));
    const parts: ts.Node[] = [];
    (isOpaque ? part.expression : part).forEachChild((child) => void parts.push(child));
    return (isOpaque ? [part.expression, ...parts] : parts).some((each) => isMadeFrom(each, isIt, seen));
  };
  return isMadeFrom(node, isDifference);
}

const isClock = (node: ts.Node) =>
  CLOCKS.test(calleeOf(node)) || (ts.isNewExpression(node) && node.getText() === 'new Date()');

/** A name of another test is another thing. */
const isVisible = (made: ts.Node, from: ts.Node) =>
  testOf(made) === testOf(from) || !/^(test|it)\b/.test(calleeOf(testOf(made)));

/** A test's or a hook's own limit counts the time in which the machine stands still; below the usual one it is a bar. */
function isShortLimit(node: ts.Node, names: Names): boolean {
  const limitMs = /^(test|it|describe)\b/.test(calleeOf(node))
    ? TEST_LIMIT_MS
    : /^(before|after)(All|Each)$/.test(calleeOf(node)) && HOOK_LIMIT_MS;
  if (!limitMs || !ts.isCallExpression(node)) return false;
  const isLow = (made: ts.Node) => ts.isNumericLiteral(made) && Number(made.text) < limitMs;
  const isShort = (given: ts.Node) =>
    ts.isIdentifier(given) ? (names.get(given.text) ?? []).some(isLow) : isLow(given);
  const limitsOf = (part: ts.Node): readonly ts.Node[] =>
    ts.isObjectLiteralExpression(part)
      ? part.properties
          .filter(ts.isPropertyAssignment)
          .flatMap((each) => (each.name.getText() === 'timeout' ? [each.initializer] : []))
      : [part];
  return node.arguments.slice(1).flatMap(limitsOf).some(isShort);
}

function isEndless(node: ts.Node): boolean {
  const isLoop = ts.isWhileStatement(node) || ts.isDoStatement(node);
  const condition = ts.isForStatement(node)
    ? (node.condition?.getText() ?? 'true')
    : isLoop && node.expression.getText();
  return /^(true|1|!0)$|\bawait\b/.test(condition || '');
}

/** Chance, or the clock where it is to choose. */
function isChance(node: ts.Node): boolean {
  if (/^(Math\.random|(crypto\.)?randomInt)$/.test(calleeOf(node))) return true;
  if (!isClock(node)) return false;
  const isSeed = (at: ts.Node): boolean => {
    if (ts.isStatement(at)) return false;
    const isNamed = (ts.isVariableDeclaration(at) || ts.isPropertyAssignment(at)) && /seed$/i.test(at.name.getText());
    const isGiven = (ts.isCallExpression(at) || ts.isNewExpression(at)) && /seed|random/i.test(at.expression.getText());
    return isNamed || isGiven || isSeed(at.parent);
  };
  return isSeed(node);
}

/** How many transactions a cluster has had is the machine's affair: below the first, a number wraps to the last. */
const isIdArithmetic = (node: ts.Node, names: Names) =>
  (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isBinaryExpression(node)) &&
  (ID_ARITHMETIC.test(node.getText()) || isSumOfNamedId(node, names));

/** `const id = BigInt(row.xactId);`, and the sum in another line. */
function isSumOfNamedId(node: ts.Node, names: Names): boolean {
  if (!ts.isBinaryExpression(node) || !/^[-+*/%]=?$/.test(node.operatorToken.getText())) return false;
  const isNumberOfId = (made: ts.Node) => NUMBER_OF_ID.test(made.getText()) && isVisible(made, node);
  return [node.left, node.right].some(
    (part) => ts.isIdentifier(part) && (names.get(part.text) ?? []).some(isNumberOfId),
  );
}
