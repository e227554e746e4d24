import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type TSType, type TSTypeAnnotation, type TSUnionType, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, sourceFiles } from './imports.ts';

/**
 * Results are unions discriminated by `kind`. Finds, in the syntax tree, the three other ways to tell outcomes apart: narrowing by
 * a member's presence (`'problem' in answer`), a boolean `ok`, and a return type of objects beside bare strings.
 *
 * @param texts names of the types that are strings throughout: beside them a string is one more of its kind.
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
    type.type === 'TSTypeReference' && texts.has(source.slice(type.start, type.end));
  const isMixed = ({ types }: TSUnionType): boolean =>
    types.some((type) => isStringLiteral(type)) &&
    types.some((type) => !isStringLiteral(type) && type.type !== 'TSUndefinedKeyword' && !isText(type));
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
    TSPropertySignature(node) {
      if (isOk(node.key)) report(node, 'ok');
    },
  }).visit(parseSync(path, source).program);
  return found;
}

/** An empty text beside markup is markup too: nothing. */
function isStringLiteral(type: TSType): boolean {
  if (type.type !== 'TSLiteralType' || !('value' in type.literal)) return false;
  return typeof type.literal.value === 'string' && type.literal.value !== '';
}

/** The type a promise resolves to, or the type itself. */
function resolvedType(type: TSType, source: string): TSType {
  if (type.type !== 'TSTypeReference' || !source.startsWith('Promise<', type.start)) return type;
  return type.typeArguments?.params[0] ?? type;
}

/** Names of exported and local types that are unions of string literals, or of such types. */
function textTypes(): ReadonlySet<string> {
  const texts = new Set<string>();
  const sources = sourceFiles(repositoryRoot, ['lambdas']).map((path) =>
    readFileSync(join(repositoryRoot, path), 'utf8'),
  );
  for (let before = -1; before < texts.size; ) {
    before = texts.size;
    for (const source of sources) {
      for (const [, name = '', union = ''] of source.matchAll(/\btype (\w+) =\s*\|?\s*([^;{}[\]()<>=]+);/g)) {
        const members = union.split('|').map((member) => member.trim());
        if (members.every((member) => /^'[^']*'$/.test(member) || texts.has(member))) texts.add(name);
      }
    }
  }
  return texts;
}

/** Folders, or handlers, that do not follow the convention yet. Remove one with its last finding; add none. */
const notYet: readonly string[] = [];

/** Unions whose members are DynamoDB's own: `AttributeValue` and `TransactWriteItem` have one of several keys each. */
const dynamodbShapes = ['attribute-values', 'dynamodb-table', 'merge-attribute-changes'].map(
  (name) => `lambdas/table/${name}.ts`,
);

function findings(): readonly string[] {
  const texts = textTypes();
  return sourceFiles(repositoryRoot, ['lambdas'])
    .filter((path) => !dynamodbShapes.includes(path))
    .flatMap((path) => otherConventions(path, readFileSync(join(repositoryRoot, path), 'utf8'), texts));
}

describe('a function with several outcomes', () => {
  it('tells them apart by kind', () => {
    expect(findings().filter((found) => !notYet.some((folder) => found.startsWith(folder)))).toEqual([]);
  });

  it('has no folder on the list that follows the convention already', () => {
    const found = findings();
    expect(notYet.filter((folder) => !found.some((each) => each.startsWith(folder)))).toEqual([]);
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
  ])('is refused the convention of %j', (source, found) => {
    expect(otherConventions('planted.ts', source)).toEqual([found]);
  });

  it('may return one of several strings, some of them named by a type', () => {
    const source = "function refusal(): Refusal | 'gone' | undefined {}";
    expect(otherConventions('planted.ts', source, new Set(['Refusal']))).toEqual([]);
  });

  it('may read a response of fetch', () => {
    expect(otherConventions('planted.ts', 'if (response.ok) return { kind: "granted" };')).toEqual([]);
  });
});
