/** The guards of a TypeScript source, and the source with a mutant of each guard that a switch can activate. */
import ts from 'typescript';

/**
 * @typedef {object} Mutant
 * @property {string} file path from the root of the repository
 * @property {string} within names of the functions and classes around the guard, the outermost first
 * @property {string} guard source text of the guard, in one line
 * @property {string} mutation what the mutant does to the guard
 * @property {number} line counted from 1, for people: the key of a judgment has no line
 */

const { SyntaxKind: kind } = ts;
const moved = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
/** Names of what returns a boolean. */
const asks =
  /^(?:is|has|may|can|was|does|some|every|includes|startsWith|endsWith|test|admits|holds|covers|equals|verify)(?:$|[A-Z])/;
/** Calls that are there for people or for speed: to leave one out breaks no rule. */
const unguarded = /^(?:log|meter|metrics|.*\.log|.*#log|.*[mM]eter)\b|\.(?:unref|debug|info|warn|error)$/;

/** Finds the mutants of a source. @returns the mutants, and `instrument`, which takes the number of the first */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const edits = [];
  /** Adds a mutant of a node. @returns its place among the mutants of this source */
  const add = (node, mutation) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const guard = node.getText(source).replace(/\s+/g, ' ');
    mutants.push({ file, within: within(node), guard, mutation, line: line + 1 });
    return mutants.length - 1;
  };
  const finder = new Finder(source, add, edits);
  finder.visit(source);
  number(mutants);
  return { mutants, instrument: (first, from) => instrumented(text, edits, { first, from }) };
}

/** Tells guards of one text in one function from each other. */
function number(mutants) {
  const seen = new Map();
  for (const mutant of mutants) {
    const key = keyOf(mutant);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    if (count > 1) mutant.guard = `${mutant.guard} #${count}`;
  }
}

export const keyOf = ({ file, within, guard, mutation }) => [file, within, guard, mutation].join(' | ');

class Finder {
  #source;
  #add;
  #edits;
  #wrapped = new Set();

  constructor(source, add, edits) {
    this.#source = source;
    this.#add = add;
    this.#edits = edits;
  }

  visit(node) {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    this.#guard(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #guard(node) {
    if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node))
      this.#condition(node.expression);
    else if (ts.isConditionalExpression(node)) this.#condition(node.condition);
    else if (ts.isForStatement(node) && node.condition) this.#condition(node.condition);
    else if (ts.isPrefixUnaryExpression(node) && node.operator === kind.ExclamationToken)
      this.#condition(node);
    else if (ts.isBinaryExpression(node)) this.#binary(node);
    else if (ts.isReturnStatement(node) && node.expression) this.#result(node.expression, node);
    else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) this.#result(node.body, node.body);
    else if (ts.isVariableDeclaration(node) && node.initializer) this.#named(node.name, node.initializer);
    else if (ts.isPropertyAssignment(node)) this.#named(node.name, node.initializer);
    else if (ts.isThrowStatement(node) || ts.isExpressionStatement(node)) this.#statement(node);
    else if (ts.isCallExpression(node)) this.#bound(node);
  }

  #binary(node) {
    const operator = node.operatorToken.kind;
    if (operator === kind.AmpersandAmpersandToken) {
      if (isOptional(node)) return this.#present(unwrapped(node.left));
      this.#condition(node.left);
      if (isBoolean(node.right)) this.#condition(node.right);
    } else if (operator === kind.BarBarToken) {
      if (isBoolean(node.left)) this.#condition(node.left);
      if (isBoolean(node.right)) this.#condition(node.right);
    } else if (isComparison(node)) this.#condition(node);
  }

  /** Without the condition the property is there as well, and undefined. */
  #present(node) {
    if (this.#wrapped.has(node)) return;
    this.#wrapped.add(node);
    this.#wrap(node, { ifFalse: this.#add(node, 'false') });
  }

  #result(expression, node) {
    const name = nameOf(enclosing(node)) ?? '';
    if (isBoolean(expression) || (asks.test(name.replace('#', '')) && !isLiteral(expression)))
      this.#condition(expression);
  }

  #named(name, initializer) {
    if (isFunction(initializer) || isLiteral(initializer) || !ts.isIdentifier(name)) return;
    if (isBoolean(initializer) || /^(?:is|has|may)[A-Z]/.test(name.text)) this.#condition(initializer);
  }

  /** Makes mutants of a condition: of each operand of its own, and of the whole where operands are joined. */
  #condition(expression) {
    const node = unwrapped(expression);
    if (this.#wrapped.has(node) || isLiteral(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.kind;
      if (operator === kind.AmpersandAmpersandToken) return this.#joined(node, false);
      if (operator === kind.BarBarToken) return this.#joined(node, true);
      if (operator === kind.QuestionQuestionToken || ts.isAssignmentExpression(node, false)) return;
    }
    if (ts.isConditionalExpression(node)) return;
    this.#wrapped.add(node);
    if (ts.isPrefixUnaryExpression(node)) this.#inner(node.operand);
    this.#wrap(node, { ifTrue: this.#add(node, 'true'), ifFalse: this.#add(node, 'false') });
    const boundary = isComparison(node) && moved[node.operatorToken.getText(this.#source)];
    if (boundary) this.#compare(node, boundary);
  }

  /** What stands after `!` has no mutants but those of its operands. */
  #inner(expression) {
    const node = unwrapped(expression);
    this.#wrapped.add(node);
    if (ts.isBinaryExpression(node) && /^(?:&&|\|\|)$/.test(node.operatorToken.getText(this.#source)))
      this.#operands(node, node.operatorToken.kind === kind.BarBarToken);
  }

  /** @param isOr the whole is held true by a mutant, and each operand false; of `&&` the reverse */
  #joined(node, isOr) {
    this.#wrapped.add(node);
    this.#operands(node, isOr);
    const id = this.#add(node, String(isOr));
    this.#wrap(node, isOr ? { ifTrue: id } : { ifFalse: id });
  }

  #operands(node, isOr) {
    for (const operand of [node.left, node.right]) {
      const inner = unwrapped(operand);
      if (this.#wrapped.has(inner) || isLiteral(inner)) continue;
      if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === node.operatorToken.kind) {
        this.#wrapped.add(inner);
        this.#operands(inner, isOr);
      } else if (
        ts.isBinaryExpression(inner) &&
        /^(?:&&|\|\|)$/.test(inner.operatorToken.getText(this.#source))
      )
        this.#condition(inner);
      else {
        this.#wrapped.add(inner);
        if (ts.isPrefixUnaryExpression(inner)) this.#inner(inner.operand);
        const id = this.#add(inner, String(!isOr));
        this.#wrap(inner, isOr ? { ifFalse: id } : { ifTrue: id });
        const boundary = isComparison(inner) && moved[inner.operatorToken.getText(this.#source)];
        if (boundary) this.#compare(inner, boundary);
      }
    }
  }

  #wrap(node, { ifTrue, ifFalse }) {
    this.#before(node, (id) => `is_(${id(ifTrue)}, ${id(ifFalse)}, `);
    this.#close(node);
  }

  #compare(node, boundary) {
    const operator = node.operatorToken.getText(this.#source);
    const mutant = this.#add(node, boundary);
    this.#before(node, (id) => `compare_(${id(mutant)}, '${operator}', '${boundary}', `);
    const { operatorToken } = node;
    this.#edits.push({ from: operatorToken.getStart(this.#source), to: operatorToken.end, text: () => ',' });
    this.#close(node);
  }

  #statement(node) {
    if (isAlone(node)) return; // its condition has mutants
    if (ts.isExpressionStatement(node)) {
      const call = awaited(node.expression);
      if (!ts.isCallExpression(call) || call.expression.kind === kind.SuperKeyword) return;
      if (unguarded.test(call.expression.getText(this.#source))) return;
    }
    const mutant = this.#add(node, 'removed');
    this.#before(node, (id) => `{ if (runs_(${id(mutant)})) `);
    this.#close(node, ' }'); // in braces: an `else` may follow
  }

  #bound(node) {
    const name = node.expression.getText(this.#source);
    if (!/^Math\.(?:min|max)$/.test(name) || node.arguments.length !== 2) return;
    if (node.arguments.some(ts.isSpreadElement)) return;
    const [first, second] = node.arguments.map((argument) => this.#add(node, argument.getText(this.#source)));
    const text = (id) => `bound_(${id(first)}, ${id(second)}, ${name})`;
    this.#edits.push({ from: node.expression.getStart(this.#source), to: node.expression.end, text });
  }

  #before(node, text) {
    const at = node.getStart(this.#source);
    this.#edits.push({ from: at, to: at, text, side: 'before', end: node.end });
  }

  #close(node, text = ')') {
    this.#edits.push({
      from: node.end,
      to: node.end,
      text: () => text,
      side: 'after',
      start: node.getStart(this.#source),
    });
  }
}

/** Applies the edits of a source. Its lines keep their numbers. */
function instrumented(text, edits, { first, from }) {
  const id = (place) => (place === undefined ? 0 : first + place);
  const names = ['is', 'compare', 'bound', 'runs'].map((name) => `${name} as ${name}_`).join(', ');
  const parts = [`import { ${names} } from '${from}'; `];
  let at = 0;
  for (const { from: start, to, text: made } of ordered(edits)) {
    parts.push(text.slice(at, start), made(id));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** What ends at a place comes before what begins there; of two that begin, the outer one first. */
function ordered(edits) {
  const rank = ({ side }) => (side === 'after' ? 0 : side === 'before' ? 1 : 2);
  return edits
    .map((edit, index) => ({ ...edit, index }))
    .toSorted(
      (a, b) =>
        a.from - b.from ||
        rank(a) - rank(b) ||
        (b.end ?? 0) - (a.end ?? 0) ||
        (b.start ?? 0) - (a.start ?? 0) ||
        a.index - b.index,
    );
}

/** Names around a node, the outermost first. */
function within(node) {
  const names = [];
  for (let at = node.parent; at; at = at.parent) {
    const name = ts.isClassDeclaration(at) ? at.name?.text : isFunction(at) ? nameOf(at) : undefined;
    if (name) names.unshift(name);
  }
  return names.join('.') || '(module)';
}

function nameOf(node) {
  if (!node) return undefined;
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (node.name) return node.name.getText();
  const { parent } = node;
  const isNamed = parent && (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent));
  return isNamed && parent.initializer === node ? parent.name.getText() : undefined;
}

function enclosing(node) {
  let at = node.parent;
  while (at && !isFunction(at)) at = at.parent;
  return at;
}

const isFunction = (node) => ts.isFunctionLike(node) && !ts.isTypeNode(node);

function unwrapped(node) {
  let at = node;
  while (ts.isParenthesizedExpression(at) || ts.isAsExpression(at) || ts.isNonNullExpression(at))
    at = at.expression;
  return at;
}

function awaited(node) {
  const inner = unwrapped(node);
  return ts.isAwaitExpression(inner) ? unwrapped(inner.expression) : inner;
}

const isLiteral = (node) =>
  [kind.TrueKeyword, kind.FalseKeyword, kind.NullKeyword].includes(node.kind) ||
  ts.isLiteralExpression(node) ||
  ts.isObjectLiteralExpression(node);

const comparing = new Set(['<', '<=', '>', '>=', '===', '!==', 'instanceof', 'in']);
const isComparison = (node) => ts.isBinaryExpression(node) && comparing.has(node.operatorToken.getText());

/** Whether an expression is a boolean, as far as its form and the names in it say. */
function isBoolean(expression) {
  const node = awaited(expression);
  if (ts.isPrefixUnaryExpression(node)) return node.operator === kind.ExclamationToken;
  if (isComparison(node)) return true;
  if (ts.isBinaryExpression(node) && /^(?:&&|\|\|)$/.test(node.operatorToken.getText()))
    return isBoolean(node.left) && isBoolean(node.right);
  const named = ts.isCallExpression(node) ? node.expression : node;
  const name = ts.isPropertyAccessExpression(named)
    ? named.name.text
    : ts.isIdentifier(named)
      ? named.text
      : '';
  return ts.isCallExpression(node) ? asks.test(name.replace('#', '')) : /^#?(?:is|has|may)[A-Z]/.test(name);
}

/** `...(name && { name })`: a property that is left out where there is none. */
function isOptional({ left, right, parent }) {
  const of = unwrapped(right);
  if (!ts.isSpreadAssignment(ts.isParenthesizedExpression(parent) ? parent.parent : parent)) return false;
  if (!ts.isObjectLiteralExpression(of) || of.properties.length !== 1) return false;
  return ts.isShorthandPropertyAssignment(of.properties[0]) && of.properties[0].name.text === left.getText();
}

/** A statement that is all that a condition leads to. */
function isAlone({ parent }) {
  const of = ts.isBlock(parent) && parent.statements.length === 1 ? parent.parent : parent;
  return ts.isIfStatement(of) && !of.elseStatement;
}
