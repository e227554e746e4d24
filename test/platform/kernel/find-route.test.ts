import { describe, expect, it } from 'vitest';
import { compileRoutes } from '../../../lambdas/platform/kernel/find-route.ts';
import fc from '../../support/property.ts';

const find = compileRoutes([
  { method: 'GET', path: '/', name: 'home' },
  { method: 'GET', path: '/teams/{team}/invitations/{id}', name: 'show' },
  { method: 'DELETE', path: '/teams/{team}/invitations/{invitation}', name: 'withdraw' },
  { method: 'POST', path: '/teams/{team}/invitations/accept', name: 'accept' },
  { method: 'GET', path: '/teams/mine/invitations/{id}', name: 'own' },
]);

/** The name of the route that is found, and its parameters. */
function at(method: string, path: string) {
  const match = find(method, path);
  return match.kind === 'matched' ? [match.route.name, match.params] : match;
}

describe('a table of routes', () => {
  it('finds the row of a method and a path, with the values of its segments', () => {
    expect(at('GET', '/')).toEqual(['home', {}]);
    expect(at('GET', '/teams/t-1/invitations/i-1')).toEqual(['show', { team: 't-1', id: 'i-1' }]);
    expect(at('DELETE', '/teams/t-1/invitations/i-1')).toEqual([
      'withdraw',
      { team: 't-1', invitation: 'i-1' },
    ]);
  });

  it('decodes values, and leaves the rest of the path as it is', () => {
    expect(at('GET', '/teams/a%2Fb%20c/invitations/%C3%A9')).toEqual(['show', { team: 'a/b c', id: 'é' }]);
    expect(at('GET', '/%74eams/t/invitations/i')).toEqual({ kind: 'not_found' });
  });

  it('prefers fixed text to a parameter, from the left', () => {
    expect(at('POST', '/teams/t-1/invitations/accept')).toEqual(['accept', { team: 't-1' }]);
    expect(at('GET', '/teams/mine/invitations/accept')).toEqual(['own', { id: 'accept' }]);
  });

  it('prefers fixed text however the rows are ordered, in a table of many', () => {
    const types = ['Patient', 'Coverage', 'Practitioner'];
    const paths = [
      '/base',
      '/old/deep/base/Patient/{id}',
      ...types.flatMap((type) => [`/base/${type}`, `/base/${type}/{id}`, `/base/${type}/_search`]),
      '/base/Patient/{id}/{operation}',
      '/base/{anything}',
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(paths, { minLength: paths.length }), (shuffled) => {
        const found = compileRoutes(shuffled.map((path) => ({ method: 'GET', path })));
        for (const path of paths) {
          const match = found('GET', path);
          expect(match.kind === 'matched' && match.route.path).toBe(path);
        }
      }),
    );
  });

  it('knows no path in other letters, with another end, or with a value that is empty, broken or too long', () => {
    for (const path of [
      '',
      '//',
      '/Teams/t/invitations/i',
      '/teams/t/invitations/i/',
      '/teams/t/invitations',
      '/teams/t/invitations/',
      '/teams//invitations/i',
      '/teams/t/invitations/%',
      '/teams/t/invitations/%ff',
      `/teams/t/invitations/${'i'.repeat(201)}`,
    ]) {
      expect(at('GET', path), path).toEqual({ kind: 'not_found' });
    }
  });

  it('names the methods of the path, and of no less specific one', () => {
    const refused = { kind: 'method_not_allowed' };
    expect(at('PUT', '/teams/t/invitations/i')).toEqual({ ...refused, allowed: ['GET', 'DELETE'] });
    expect(at('DELETE', '/teams/t/invitations/accept')).toEqual({ ...refused, allowed: ['POST'] });
    expect(at('get', '/')).toEqual({ ...refused, allowed: ['GET'] });
  });

  it('gives back any value that was encoded into a path', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), (value) => {
        fc.pre(value.length <= 200 && value.isWellFormed());
        expect(at('DELETE', `/teams/t/invitations/x${encodeURIComponent(value.slice(0, 199))}`)).toEqual([
          'withdraw',
          { team: 't', invitation: `x${value.slice(0, 199)}` },
        ]);
      }),
    );
  });

  it('refuses two rows that match the same requests', () => {
    const rows = [
      { method: 'GET', path: '/a/{id}' },
      { method: 'GET', path: '/a/{name}' },
    ];
    expect(() => compileRoutes(rows)).toThrow('two routes for GET /a/{name}');
  });
});
