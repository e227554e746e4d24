import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type TSType, type TSTypeAnnotation, type TSUnionType, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, sourceFiles } from './imports.ts';

/**
 * Results are unions discriminated by `kind`. Finds, in the syntax tree, the four other ways to tell outcomes apart: narrowing by
 * a member's presence (`'problem' in answer`), a boolean `ok`, another boolean (`allowed: true` or `allowed: false`), and a return
 * type of objects beside strings (`typeof admitted === 'string'`).
 *
 * @param texts names of the types that are strings throughout.
 */
function otherConventions(path: string, source: string, texts: ReadonlySet<string> = new Set()): string[] {
  const found: string[] = [];
  const report = ({ start }: { readonly start: number }, what: string) =>
    found.push(`${path}:${source.slice(0, start).split('\n').length} ${what}`);
  const isOk = ({
    type,
    start,
    end,
  }: {
    readonly type: string;
    readonly start: number;
    readonly end: number;
  }) =>
    (type === 'Identifier' && source.slice(start, end) === 'ok') ||
    (type === 'Literal' && source.slice(start + 1, end - 1) === 'ok');
  const isText = (type: TSType): boolean =>
    isStringLiteral(type) ||
    type.type === 'TSStringKeyword' ||
    (type.type === 'TSTypeReference' && texts.has(source.slice(type.start, type.end)));
  const isMixed = ({ types }: TSUnionType): boolean =>
    types.some(isText) && types.some((type) => !isText(type) && !besideText.has(type.type));
  const returned = ({ returnType }: { readonly returnType?: TSTypeAnnotation | null }) => {
    const type = returnType && resolvedType(returnType.typeAnnotation, source);
    if (type?.type === 'TSUnionType' && isMixed(type)) report(type, source.slice(type.start, type.end));
  };
  new Visitor({
    FunctionDeclaration: returned,
    FunctionExpression: returned,
    ArrowFunctionExpression: returned,
    TSMethodSignature: returned,
    TSFunctionType: returned,
    BinaryExpression(node) {
      const { left, operator, right } = node;
      if (operator !== 'in' || left.type !== 'Literal') return;
      if (right.type !== 'Identifier' && right.type !== 'MemberExpression') return;
      report(node, source.slice(node.start, node.end));
    },
    Property(node) {
      if (isOk(node.key)) report(node, 'ok');
    },
    TSUnionType(node) {
      const booleans = new Set(node.types.flatMap((type) => booleanMembers(type, source)));
      const name = [...booleans].find(
        (each) => each.endsWith('true') && booleans.has(each.replace(/true$/, 'false')),
      );
      if (name !== undefined) report(node, name);
    },
    TSPropertySignature(node) {
      if (isOk(node.key)) report(node, 'ok');
    },
  }).visit(parseSync(path, source).program);
  return found;
}

/** Types that may stand beside a string in a return type without making it an outcome: undefined, and a number, as in a path. */
const besideText: ReadonlySet<string> = new Set(['TSUndefinedKeyword', 'TSNumberKeyword']);

/**
 * Members of a type that are always `true` or always `false`, as in `allowed: true`. Names like `isX` and `hasX` state facts and are left
 * out.
 */
function booleanMembers(type: TSType, source: string): string[] {
  if (type.type !== 'TSTypeLiteral') return [];
  return type.members
    .map(({ start, end }) => source.slice(start, end).replace(/^readonly |;$/g, ''))
    .filter((member) => /^(?!is[A-Z]|has[A-Z])\w+: (true|false)$/.test(member));
}

/** Whether a type is the literal of a text that is not empty. An empty text beside markup means markup without content. */
function isStringLiteral(type: TSType): boolean {
  if (type.type !== 'TSLiteralType' || !('value' in type.literal)) return false;
  return typeof type.literal.value === 'string' && type.literal.value !== '';
}

/** The type a promise resolves to, or the type itself. */
function resolvedType(type: TSType, source: string): TSType {
  if (type.type !== 'TSTypeReference' || !source.startsWith('Promise<', type.start)) return type;
  return type.typeArguments?.params[0] ?? type;
}

/** Names of types that are unions of string literals, of such types, or of the keys of a table. */
function textTypes(): ReadonlySet<string> {
  const text = /^('[^']*'|keyof typeof \w+)$/;
  const texts = new Set<string>();
  const sources = sourceFiles(repositoryRoot, ['lambdas']).map((path) =>
    readFileSync(join(repositoryRoot, path), 'utf8'),
  );
  for (let before = -1; before < texts.size; ) {
    before = texts.size;
    for (const source of sources) {
      for (const [, name = '', union = ''] of source.matchAll(/\btype (\w+) =\s*\|?\s*([^;{}<>=]+);/g)) {
        const members = union.split('|').map((member) => member.trim());
        if (members.every((member) => text.test(member) || texts.has(member))) texts.add(name);
      }
    }
  }
  return texts;
}

/**
 * Files with unions in the form of an external interface: DynamoDB's `AttributeValue` and `TransactWriteItem` have one of several keys, and
 * an introspection response is `active` or not (RFC 7662 section 2.2).
 */
const othersShapes = [
  ...['attribute-values', 'dynamodb-table', 'merge-attribute-changes'].map(
    (name) => `lambdas/platform/table/${name}.ts`,
  ),
  'lambdas/authorization/token/introspection-endpoint.ts',
];

function findings(): readonly string[] {
  const texts = textTypes();
  return sourceFiles(repositoryRoot, ['lambdas'])
    .filter((path) => !othersShapes.includes(path))
    .flatMap((path) => otherConventions(path, readFileSync(join(repositoryRoot, path), 'utf8'), texts));
}

describe('a function with several outcomes', () => {
  it('tells them apart by kind', () => {
    expect(findings()).toEqual([]);
  });

  it.each([
    ["if ('problem' in answer) return answer;", "planted.ts:1 'problem' in answer"],
    ["const isRefused = !('refused' in answer.body);", "planted.ts:1 'refused' in answer.body"],
    ['const answer = { ok: true };', 'planted.ts:1 ok'],
    ["const answer = { 'ok': true };", 'planted.ts:1 ok'],
    ['interface Answer {\n  readonly ok: boolean;\n}', 'planted.ts:2 ok'],
    [
      "async function read(): Promise<{ readonly sub: string } | 'taken'> {}",
      "planted.ts:1 { readonly sub: string } | 'taken'",
    ],
    [
      "interface Keys {\n  read(uri: string): readonly Key[] | 'gone';\n}",
      "planted.ts:2 readonly Key[] | 'gone'",
    ],
    ["const find = (): Account | 'gone' => account;", "planted.ts:1 Account | 'gone'"],
    ['function admit(): Organization | Refusal {}', 'planted.ts:1 Organization | Refusal'],
    ['function read(): Parameters | string {}', 'planted.ts:1 Parameters | string'],
    [
      'type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly seconds: number };',
      'planted.ts:1 allowed: true',
    ],
  ])('is refused the convention of %j', (source, found) => {
    expect(otherConventions('planted.ts', source, new Set(['Refusal']))).toEqual([found]);
  });

  it('may return one of several strings, some of them named by a type', () => {
    const source = "function refusal(): Refusal | 'gone' | undefined {}";
    expect(otherConventions('planted.ts', source, new Set(['Refusal']))).toEqual([]);
  });

  it('may read a response of fetch', () => {
    expect(otherConventions('planted.ts', 'if (response.ok) return { kind: "granted" };')).toEqual([]);
  });
});
