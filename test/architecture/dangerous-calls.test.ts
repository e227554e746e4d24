import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, sourceFiles } from './imports.ts';

const sources = sourceFiles(repositoryRoot, ['lambdas']).map((path) => ({
  path,
  text: readFileSync(join(repositoryRoot, path), 'utf8'),
}));

/** Each match of a pattern in the functions' sources, as "path: text". */
function found(pattern: RegExp): readonly string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([match]) => `${path}: ${match.replace(/\s+/g, ' ')}`),
  );
}

describe('the functions', () => {
  it('start no process and run no text as code', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(found(/node:child_process|node:vm|\beval\(|\bnew Function\(/g)).toEqual([]);
  });

  it('never turn off the check of a certificate', () => {
    expect(found(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/g)).toEqual([]);
  });

  it('hash by SHA-256, and by SHA-1 only inside the HMAC of RFC 6238', () => {
    const algorithms = found(/\bcreate(?:Hash|Hmac)\(\s*'[^']+'/g);
    expect(algorithms.length).toBeGreaterThan(10);
    const others = algorithms.filter((call) => !call.endsWith("'sha256'"));
    // UUIDs of names (RFC 9562 section 5.5) are public names and protect nothing.
    expect(others).toEqual([
      "lambdas/platform/runtime/name-uuid.ts: createHash('sha1'",
      "lambdas/platform/runtime/totp.ts: createHmac('sha1'",
    ]);
  });

  it('encrypt by AES-256 in Galois/Counter Mode only', () => {
    const ciphers = found(/\bcreate(?:Cipher|Decipher)iv\(\s*'[^']+'/g).map((call) => call.split("'")[1]);
    expect([...new Set(ciphers)]).toEqual(['aes-256-gcm']);
  });

  it('make regular expressions of constants only: each place is one of these', () => {
    const places = new Set(found(/\bnew RegExp\(/g).map((call) => call.split(':')[0]));
    expect([...places].sort()).toEqual([
      'lambdas/catalog/hidden-characters.ts',
      'lambdas/fhir/search/subset.ts',
      'lambdas/fhir/validation/primitives.ts',
      'lambdas/portal/api/fields.ts',
    ]);
  });
});
