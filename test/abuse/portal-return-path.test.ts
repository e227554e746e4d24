import { describe, expect, it } from 'vitest';
import { readReturnPath, signInPath } from '../../portal-static/app/return-path.ts';

const origin = 'https://developer.example.org';
describe('the page to come back to after signing in', () => {
  it.each([
    'https://evil.example/',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example/',
    ' //evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '/.//evil.example/',
    '/a/..//evil.example/',
    '/%2e%2e//evil.example/',
    '/./\\evil.example/',
    'evil.example',
    '',
    '/sign-in',
    '/sign-in?return=/sign-in',
  ])('is no other host’s, and not the same page: %j', (path) => {
    expect(readReturnPath({ return: path })).toBeUndefined();
  });

  it.each([
    '/applications',
    '/applications/1?tab=calls',
    '/invitation',
    '/%2f/evil.example',
    '/a//b',
  ])('is a path of the portal, and stays on its host however it is read: %s', (path) => {
    const back = readReturnPath({
      return: new URL(signInPath(path), origin).searchParams.get('return') ?? '',
    });
    expect(back).toBe(path);
    expect(new URL(back ?? '', origin).origin).toBe(origin);
  });

  it('is none where none was named', () => {
    expect(readReturnPath({})).toBeUndefined();
  });
});
