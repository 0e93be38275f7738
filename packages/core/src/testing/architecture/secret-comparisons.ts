/**
 * Comparisons of secrets that stop at the first difference, and so tell by their time how much of a guess was right:
 * `code === expected`, `digest.equals(other)`. What a secret is, its name tells: the last word of it, whatever is done to it
 * on the way. A literal may be compared with: it is no secret (`code === undefined`, `password === ''`).
 */
import ts from 'typescript';

/** Members of the compiler, copied as each access to the module goes through Vitest. */
const {
  SyntaxKind,
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isLiteralExpression,
  isNonNullExpression,
  isParenthesizedExpression,
  isPrivateIdentifier,
  isPropertyAccessExpression,
  isTemplateExpression,
  isTypeOfExpression,
} = ts;

const secrets =
  /^(?:codes?|otps?|hotps?|totps?|pins?|pincodes?|passwords?|passphrases?|secrets?|digests?|hash|hashes|hashed|hmacs?|macs?)$/;

/** Calls that leave a secret one. Their subject counts. */
const unchanging =
  /^(?:from|of|toString|trim|trimStart|trimEnd|slice|subarray|toLowerCase|toUpperCase|concat|digest)$/;

const equality: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.EqualsEqualsToken,
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
]);

const comparing = /^(?:equals|compare|localeCompare|includes|indexOf|lastIndexOf|startsWith|endsWith)$/;

/** The text of the comparison, if it is one. */
export function secretComparisonOf(node: ts.Node): string | undefined {
  const operands = operandsOf(node);
  const isRisky = operands.length > 1 && !operands.some(isLiteral) && operands.some(isSecret);
  return isRisky ? node.getText().replace(/\s+/g, ' ') : undefined;
}

function operandsOf(node: ts.Node): readonly ts.Expression[] {
  if (isBinaryExpression(node) && equality.has(node.operatorToken.kind)) return [node.left, node.right];
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  return comparing.test(name.text) ? [expression, ...node.arguments] : [];
}

const isLiteral = (node: ts.Expression): boolean =>
  isLiteralExpression(node) ||
  isTypeOfExpression(node) ||
  [SyntaxKind.NullKeyword, SyntaxKind.TrueKeyword, SyntaxKind.FalseKeyword].includes(node.kind) ||
  (isIdentifier(node) && node.text === 'undefined');

function isSecret(node: ts.Expression): boolean {
  if (isIdentifier(node) || isPrivateIdentifier(node)) return isSecretName(node.text);
  if (isParenthesizedExpression(node) || isNonNullExpression(node) || isAsExpression(node))
    return isSecret(node.expression);
  if (isAwaitExpression(node)) return isSecret(node.expression);
  if (isBinaryExpression(node)) return isSecret(node.left) || isSecret(node.right);
  if (isTemplateExpression(node)) return node.templateSpans.some(({ expression }) => isSecret(expression));
  if (isPropertyAccessExpression(node)) return isSecretName(node.name.text);
  return isCallExpression(node) && isSecretCall(node);
}

/** `digestOf(x)`, `Buffer.from(secret)`, `createHash('sha256').update(x).digest('hex')`, `code.trim()` */
function isSecretCall({ expression, arguments: given }: ts.CallExpression): boolean {
  if (isIdentifier(expression)) return isSecretName(expression.text);
  if (!isPropertyAccessExpression(expression)) return false;
  const { name } = expression;
  if (isSecretName(name.text)) return true;
  return unchanging.test(name.text) && (isSecret(expression.expression) || given.some(isSecret));
}

/** `otpPassword`, `given_code`, `hashOf`; not `wrongPassword`: what is said of one that is wrong. */
function isSecretName(name: string): boolean {
  if (/^wrong[A-Z]/.test(name)) return false;
  const words = name.replace(/Of$/, '').split(/(?<=[a-z0-9])(?=[A-Z])|_/);
  return secrets.test(words.at(-1)?.toLowerCase() ?? '');
}
