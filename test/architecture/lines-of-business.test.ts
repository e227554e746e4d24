import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environments } from '../../lambdas/catalog/environments.ts';
import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import { repositoryRoot } from './imports.ts';

/**
 * LOBs are data: what differs between them is in lambdas/catalog/lines-of-business.ts, and no function does anything for one LOB that it doesn't do
 * for another. The FHIR interfaces do nothing for one environment either. What a test shows at one is so at each.
 */

/** Lines of code that have one of the words as a literal. */
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
  // It measures the size of an item, which is the same for each LOB.
  expect(linesWith(lineOfBusinessCodes, 'lambdas/**/*.ts')).toEqual([
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
