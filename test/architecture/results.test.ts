import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, sourceFiles } from './imports.ts';

/**
 * Results are unions discriminated by `kind`. Finds, in the syntax tree, the two other ways to tell outcomes apart: narrowing by a
 * member's presence (`'problem' in answer`) and a boolean `ok`.
 */
function otherConventions(path: string, source: string): string[] {
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
  new Visitor({
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

/** Folders, or handlers, that do not follow the convention yet. Remove one with its last finding; add none. */
const notYet: readonly string[] = [];

/** Unions whose members are DynamoDB's own: `AttributeValue` and `TransactWriteItem` have one of several keys each. */
const dynamodbShapes = ['lambdas/table/attribute-values.ts', 'lambdas/table/dynamodb-table.ts'];

function findings(): readonly string[] {
  return sourceFiles(repositoryRoot, ['lambdas'])
    .filter((path) => !dynamodbShapes.includes(path))
    .flatMap((path) => otherConventions(path, readFileSync(join(repositoryRoot, path), 'utf8')));
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
  ])('is refused the convention of %j', (source, found) => {
    expect(otherConventions('planted.ts', source)).toEqual([found]);
  });

  it('may read a response of fetch', () => {
    expect(otherConventions('planted.ts', 'if (response.ok) return { kind: "granted" };')).toEqual([]);
  });
});
