import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environments } from '../../lambdas/catalog/environments.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { repositoryRoot } from './imports.ts';

/**
 * Lines of business differ in data only (lambdas/catalog/lines-of-business.ts): no function treats one LOB differently from another. The
 * FHIR interfaces also treat both environments alike. So a test at one LOB holds for all of them.
 */

/** Lines of code with one of the words as a string literal. */
function linesWith(words: readonly string[], pattern: string): readonly string[] {
  const literal = new RegExp(`(['"\`])(${words.join('|')})\\1`);
  return globSync(pattern, { cwd: repositoryRoot }).flatMap((path) =>
    readFileSync(join(repositoryRoot, path), 'utf8')
      .split('\n')
      .filter((line) => literal.test(line) && !/^\s*(\*|\/\/|\/\*\*)/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
}

it('no function compares or chooses by the code of a LOB', () => {
  // The first line names the LOB of the sandbox's demonstration. The second computes the size of an item, which is the same for each LOB.
  expect(linesWith(lineOfBusinessCodes, 'lambdas/**/*.ts').toSorted()).toEqual([
    "lambdas/catalog/oauth/demonstration.ts: lineOfBusiness: 'DSNP',",
    "lambdas/loads/store/directory-store.ts: fits: (put) => areStorable([writeOf('DSNP', put)]),",
  ]);
});

it('no FHIR interface compares or chooses by the environment', () => {
  expect(
    linesWith(
      environments,
      'lambdas/{fhir,patient-access,payer-access,provider-directory,platform/http,authorization/authorizer}/**/*.ts',
    ),
  ).toEqual([]);
});
