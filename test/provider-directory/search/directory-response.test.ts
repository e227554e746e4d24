import { expect, it } from 'vitest';
import { documentHeaders } from '../../../lambdas/provider-directory/search/directory-response.ts';

it('lets a page of the directory load nothing, send nothing and be in no frame', () => {
  const policy = documentHeaders('p1', 'text/html; charset=utf-8')['Content-Security-Policy'];
  expect(policy?.split('; ')).toEqual([
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});
